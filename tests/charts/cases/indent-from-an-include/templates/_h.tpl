{{- define "d.ports" }}ports:
- port: 1
{{ end -}}
