// Findings as workflow commands, which GitHub shows as annotations of a commit or a pull request.
import type { Finding, Severity } from '#kernel/errors/finding.ts'
import { placeOf } from './finding-place.ts'
import { escapeControls } from './printable-text.ts'

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  Severity,
  string
>
const order = Object.keys(commands)

/** GitHub shows the first ten annotations of each kind, so errors come first. */
export function githubAnnotations(findings: readonly Finding[], dir: string | undefined): string {
  return [...findings]
    .sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .map((finding) => `${annotation(finding, dir)}\n`)
    .join('')
}

function annotation(finding: Finding, dir: string | undefined): string {
  const { severity, code, component, path, message } = finding
  const place = finding.facts?.['file'] === undefined ? null : placeOf(finding, dir)
  const properties = Object.entries({
    file: place?.path,
    line: place?.line,
    col: place?.column,
    title: code,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`]))
  const subject = path === '' ? component : `${component} ${path}`
  return `::${commands[severity]} ${properties.join(',')}::${escapeData(`${subject}: ${message}`)}`
}

/** A percent sign first, because the escapes begin with one. */
function escapeData(text: string): string {
  return escapeControls(text.replaceAll('%', '%25').replaceAll('\r', '%0D'), false).replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
