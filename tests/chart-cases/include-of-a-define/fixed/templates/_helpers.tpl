{{- define "demo.spec" -}}
type: a
ports: []
{{- end }}
