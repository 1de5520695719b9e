{{- define "demo.spec" -}}
type: a
sessionAffinity: ClientIP
{{- end }}
