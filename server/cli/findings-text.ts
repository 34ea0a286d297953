// Findings for a terminal: severity, code, component and place, then the sentence.
import type { Finding } from '#kernel/errors/finding.ts'
import { printableText } from './printable-text.ts'
import { countText, type Terminal } from './terminal.ts'

const maxMessageLength = 1000

const wholeNumber = (number: number): string => number.toLocaleString('en')

/**
 * Formats each finding in two lines, and the number of findings by severity.
 * @param total number of findings if the list is truncated
 */
export function findingsText(
  findings: readonly Finding[],
  { paint }: Terminal,
  total = findings.length,
): string {
  const colours = { error: paint.red, warning: paint.yellow, info: paint.cyan }
  const lines = findings.map(({ severity, code, component, path, message, facts }) => {
    const file =
      typeof facts?.['file'] === 'string'
        ? ` (${facts['file']}${facts['line'] === undefined ? '' : `:${facts['line']}`})`
        : ''
    return `${colours[severity](severity.padEnd(7))} ${paint.bold(code)}  ${printableText(component)}${path === '' ? '' : ` ${printableText(path)}`}${paint.dim(file)}\n        ${printableText(message, maxMessageLength)}`
  })
  const more = total > findings.length ? [`and ${wholeNumber(total - findings.length)} more`] : []
  return [...lines, ...more, findingCountsText(findings)].join('\n')
}

/** `2 errors, 1 warning.` */
export function findingCountsText(findings: readonly Finding[]): string {
  const of = (severity: Finding['severity']): number =>
    findings.filter((finding) => finding.severity === severity).length
  const parts = [countText(of('error'), 'error'), countText(of('warning'), 'warning')]
  return findings.length === 0 ? 'No findings.' : `${parts.join(', ')}.`
}

/** For each code that offers repairs, the number of findings and the choices; the hint after a list. */
export function repairHints(findings: readonly Finding[]): string[] {
  const byCode = Map.groupBy(
    findings.filter(({ repairs }) => (repairs ?? []).length > 0),
    ({ code }) => code,
  )
  return [...byCode].map(([code, list]) => {
    const choices = new Set(list.flatMap(({ repairs }) => repairs!.map(({ choice }) => choice)))
    return `--repair ${code}[:<key>]=<${[...choices].join('|')}>  for ${countText(list.length, 'finding')}`
  })
}
