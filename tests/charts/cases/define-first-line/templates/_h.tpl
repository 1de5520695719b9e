{{- define "h.affinity" -}}
sessionAffinity: ClientIP
type: ClusterIP
{{- end -}}
