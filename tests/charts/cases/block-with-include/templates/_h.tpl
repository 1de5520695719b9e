{{- define "f.more" }}
  type: NodePort
{{- end -}}
