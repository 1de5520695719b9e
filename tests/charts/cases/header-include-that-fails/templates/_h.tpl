{{- define "g.check" -}}
{{- if not .Values.x }}{{ fail "no x" }}{{ end -}}
yes
{{- end -}}
