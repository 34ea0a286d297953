// Formats change requests for a terminal: lists, and one with its changes, approvals and history.
import { shortDigest, type Digest } from '#kernel/change/index.ts'
import { countingApprovals, type ChangeRequestSummary } from '#kernel/requests/index.ts'
import { changeCountsText, changesText } from './changes-text.ts'
import { conflictsText, isConflict } from './conflict-text.ts'
import { findingCountsText, findingsText } from './findings-text.ts'
import { writerText } from './writer-text.ts'
import type { LazyRequestView } from '../requests/index.ts'
import { printableText } from './printable-text.ts'
import { tableText } from './table.ts'
import { countText, type Terminal } from './terminal.ts'

const heading = ['id', 'state', 'approvals', 'by', 'applies on', 'changes', 'title']

export function requestsText(requests: readonly ChangeRequestSummary[], terminal: Terminal): string {
  if (requests.length === 0) return 'No change requests.'
  const rows = requests.map((request) => [
    request.id,
    stateText(request, terminal),
    approvalsText(request),
    writerText({ user: request.author, operator: request.operator ?? null }),
    request.applyOn ?? '',
    changeCountsText(request.counts).replace(/\.$/, ''),
    request.title,
  ])
  return tableText(terminal, heading, rows)
}

/** Shows the new state of a request in one line. */
export function requestStatusText(request: ChangeRequestSummary, terminal: Terminal): string {
  const generation = request.generation === null ? '' : ` as generation ${request.generation}`
  const date = request.applyOn === null ? '' : `, to be applied on ${request.applyOn}`
  const approvals = `approvals ${approvalsText(request)}`
  return `Change request ${request.id} is ${stateText(request, terminal)}${generation}: ${approvals}${date}.`
}

export function requestText(request: LazyRequestView, terminal: Terminal, all: boolean): string {
  const { paint } = terminal
  const { changes, total, hidden, findings, standing, failure, history } = request
  const parts = [
    paint.bold(printableText(request.title)),
    requestStatusText(request, terminal),
    `${shortDigest(request.digest as Digest)}  ${paint.dim(request.digest)}`,
    ...(request.rationale === '' || request.rationale === request.title
      ? []
      : [printableText(request.rationale, 10_000)]),
    ...(failure === null ? [] : [paint.red(`${failure.code}  ${printableText(failure.message, 2000)}`)]),
    ...(standing === null || standing.message === ''
      ? []
      : [paint.yellow(printableText(standing.message, 2000))]),
    ...conflictsPart(request, terminal),
    ...(total === 0 ? [] : [changesText(changes, terminal, all)]),
    ...contributionsPart(request),
    ...(hidden === 0 ? [] : [`${countText(hidden, 'change')} hidden from you.`]),
    findings.length === 0 ? findingCountsText(findings) : findingsText(findings, terminal),
    tableText(
      terminal,
      ['at (UTC)', 'by', 'what', 'state', 'digest', ''],
      history.map(({ at, actor, operator = null, kind, state, digest, text }) => [
        at.slice(0, 19).replace('T', ' '),
        writerText({ user: actor, operator }),
        kind.replaceAll('_', ' '),
        state,
        shortDigest(digest as Digest),
        text,
      ]),
    ),
  ]
  return parts.join('\n')
}

/** Shows who drafted a change, if it was not the author. */
function contributionsPart({ contributions }: LazyRequestView): string[] {
  return contributions.map(
    ({ id, writers }) => `${id}  drafted by ${writers.map((writer) => writerText(writer)).join(', ')}`,
  )
}

function conflictsPart({ standing }: LazyRequestView, terminal: Terminal): string[] {
  const conflicts = standing?.conflicts.filter(isConflict) ?? []
  return conflicts.length === 0 ? [] : [conflictsText(conflicts, terminal)]
}

function approvalsText(request: ChangeRequestSummary): string {
  if (request.requiredApprovals === 0) return 'none required'
  return `${countingApprovals(request)} of ${request.requiredApprovals}`
}

function stateText({ state }: ChangeRequestSummary, { paint }: Terminal): string {
  const paints = { approved: paint.green, applied: paint.green, failed: paint.red } as Record<
    string,
    ((text: string) => string) | undefined
  >
  return paints[state]?.(state) ?? state
}
