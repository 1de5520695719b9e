{{- define "e.ports" }}ports:
- port: 1
{{ end -}}
