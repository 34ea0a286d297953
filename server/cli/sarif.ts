// Findings as SARIF 2.1.0, the format of static analysis results that code hosts and editors read.
import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { findingCodes, type FindingCode } from '#kernel/errors/finding-codes.ts'
import { findingHelp } from '#kernel/errors/finding-help.ts'
import type { Finding, RelatedPlace, Severity } from '#kernel/errors/finding.ts'
import { placeOf, type FindingPlace } from './finding-place.ts'

const levels = { error: 'error', warning: 'warning', info: 'note' } as const satisfies Record<
  Severity,
  string
>

/** @param dir the validated directory; without one, results have no files */
export function sarifLog(findings: readonly Finding[], dir: string | undefined): object {
  const ruleIds = [...new Set(findings.map(({ code }) => code))].sort()
  const occurrences = new Map<string, number>()
  const results = findings.map((finding) => resultOf(finding, ruleIds, dir, occurrences))
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Almanac', rules: ruleIds.map(ruleOf) } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
}

function ruleOf(id: string): object {
  const description = (findingCodes as Readonly<Record<string, string>>)[id]
  // A served org can be newer than this command line and report codes that it does not have.
  if (description === undefined) return { id }
  const { severities, fix } = findingHelp[id as FindingCode]
  return {
    id,
    shortDescription: { text: description },
    fullDescription: { text: description },
    help: { text: fix },
    defaultConfiguration: { level: levels[severities[0]] },
  }
}

function resultOf(
  finding: Finding,
  ruleIds: readonly string[],
  dir: string | undefined,
  occurrences: Map<string, number>,
): object {
  const { code, severity, message, component, path, related } = finding
  const place = placeOf(finding, dir)
  return {
    ruleId: code,
    ruleIndex: ruleIds.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [
      {
        ...(place === null ? {} : { physicalLocation: physicalLocation(place) }),
        logicalLocations: [logicalLocation(component, path)],
      },
    ],
    ...(related.length === 0 ? {} : { relatedLocations: related.map(relatedLocation) }),
    partialFingerprints: { 'almanacFinding/v1': fingerprint([code, component, path], occurrences) },
  }
}

function physicalLocation({ path, isAbsolute, line, column }: FindingPlace): object {
  return {
    artifactLocation: isAbsolute
      ? { uri: pathToFileURL(path).href }
      : { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
    region: { startLine: line ?? 1, startColumn: column },
  }
}

function logicalLocation(component: string, path: string): object {
  return {
    name: component,
    fullyQualifiedName: `${component}${path}`,
    kind: path === '' ? 'object' : 'property',
  }
}

function relatedLocation({ component, path, note }: RelatedPlace, at: number): object {
  return {
    id: at + 1,
    logicalLocations: [logicalLocation(component, path)],
    ...(note === undefined ? {} : { message: { text: note } }),
  }
}

/** A later run gives the same finding the same fingerprint, even if its line has moved. */
function fingerprint(parts: readonly string[], occurrences: Map<string, number>): string {
  const id = JSON.stringify(parts)
  const occurrence = (occurrences.get(id) ?? 0) + 1
  occurrences.set(id, occurrence)
  return `${createHash('sha256').update(id).digest('hex').slice(0, 32)}:${occurrence}`
}
