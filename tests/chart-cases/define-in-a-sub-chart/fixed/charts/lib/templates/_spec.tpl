{{- define "lib.spec" -}}
type: a
{{- end }}
