{{- define "b.ports" -}}
ports:
- port: 1
{{- end -}}
