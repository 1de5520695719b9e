{{- define "demo.spec" }}
  type: a
{{- end }}
