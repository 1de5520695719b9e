{{- define "k.outer" -}}
type: ClusterIP
{{ include "k.inner" . }}
{{- end -}}
{{- define "k.inner" -}}
{{- if .Values.x -}}
sessionAffinity: ClientIP
{{ end -}}
ports: []
{{- end -}}
