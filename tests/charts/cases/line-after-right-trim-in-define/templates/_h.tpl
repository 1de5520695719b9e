{{- define "c.spec" -}}
{{ if .Values.x -}}
sessionAffinity: ClientIP
{{ end -}}
type: ClusterIP
{{- end }}
