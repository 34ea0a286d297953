// Parses one component from text: JSON, then envelope and body. Findings have line and column if the text provides
// them.
import type { CandidateComponent, InvalidComponent } from '#kernel/change/index.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { idOf, type ComponentId } from '#kernel/components/component.ts'
import { invalidJsonMessage } from '#kernel/components/json-reasons.ts'
import {
  endsReading,
  jsonTextIssueCodes,
  jsonTextIssueMessage,
  scanJson,
  type JsonTextIssue,
} from '#kernel/components/scan-json.ts'
import { positionAt } from '#kernel/components/text-position.ts'
import { limitFindings, mostFindings } from '#kernel/components/most-findings.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import { firstFault, createPlaceLookup } from './text-place.ts'

export interface TextOrigin {
  /** The name of the text in messages: its file, or its draft. */
  name: string
  /** The component that belongs there, if known. */
  expected: ComponentId | null
  codes: { json: string; place: string }
  /** The message for a text that contains a component other than `expected`. */
  otherComponent: (found: ComponentId) => string
}

export interface InvalidComponentText extends InvalidComponent {
  /** The parsed content, if it is JSON and names itself; its recipient finds the same faults. */
  json?: unknown
}

export interface ParsedText {
  parsed: CandidateComponent | null
  findings: Finding[]
  /** Set if `parsed` is null and the expected component is known. */
  invalidComponent?: InvalidComponentText
}

/** Never throws; a text that is not valid JSON is a finding. */
export function parseText(text: string, origin: TextOrigin): ParsedText {
  const flaws = scanJson(text, mostFindings + 1)
  const tooLarge = flaws.find(endsReading)
  if (tooLarge !== undefined)
    return { parsed: null, findings: [flawFinding(tooLarge, text, origin)], ...unreadableComponent(origin) }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { parsed: null, findings: [jsonFinding(text, origin)], ...unreadableComponent(origin) }
  }
  const { component, hints, findings, invalidComponent } = parseComponent(
    json,
    origin.expected ?? origin.name,
  )
  const placeOf = createPlaceLookup(text)
  const withPlace = (found: Finding): Finding => ({
    ...found,
    facts: { ...found.facts, file: origin.name, ...placeOf(found.path) },
  })
  const flawFindings = flaws.map((flaw) => flawFinding(flaw, text, origin))
  const all = [...flawFindings, ...findings.map(withPlace)]
  const placed = limitFindings(all, origin.expected ?? origin.name)
  if (component === null || flaws.length > 0)
    return {
      parsed: null,
      findings: placed,
      ...(invalidComponent === undefined
        ? unreadableComponent(origin)
        : { invalidComponent: { ...invalidComponent, json } }),
    }
  const id = idOf(component)
  if (id === origin.expected) return { parsed: { component, hints }, findings: placed }
  const other = finding(id, '', origin.codes.place, origin.otherComponent(id))
  return { parsed: { component, hints }, findings: [...placed, withPlace(other)] }
}

function unreadableComponent({ expected }: TextOrigin): Pick<ParsedText, 'invalidComponent'> {
  return expected === null ? {} : { invalidComponent: { id: expected, partialEntry: null, faults: [''] } }
}

function jsonFinding(text: string, origin: TextOrigin): Finding {
  const { line, column, reason } = firstFault(text)
  const message = invalidJsonMessage(origin.name, { line, column, reason })
  return {
    ...finding(origin.expected ?? origin.name, '', origin.codes.json, message),
    facts: { file: origin.name, line, column },
  }
}

function flawFinding(flaw: JsonTextIssue, text: string, origin: TextOrigin): Finding {
  const place = positionAt(text, flaw.offset)
  return {
    ...finding(
      origin.expected ?? origin.name,
      flaw.path,
      jsonTextIssueCodes[flaw.kind],
      jsonTextIssueMessage(flaw, place),
    ),
    facts: { file: origin.name, ...place },
  }
}

function finding(component: string, path: string, code: string, message: string): Finding {
  return { severity: 'error', code, component, path, message, related: [] }
}
