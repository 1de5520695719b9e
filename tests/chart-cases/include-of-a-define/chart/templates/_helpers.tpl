{{- define "demo.spec" -}}
type: a
sessionAffinity: ClientIP
ports: []
{{- end }}
