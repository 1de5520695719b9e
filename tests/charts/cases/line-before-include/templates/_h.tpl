{{- define "a.ports" -}}
ports:
- port: 1
{{- end -}}
