{{- define "lib.spec" -}}
type: a
sessionAffinity: ClientIP
{{- end }}
