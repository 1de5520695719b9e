{{- define "shop.api.spec" -}}
type: ClusterIP
sessionAffinity: ClientIP
selector:
  app: api
{{- end }}
