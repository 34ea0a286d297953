// Formats remotes, comparisons and jobs for a terminal.
import type { CompareRow, CompareState, RemoteJob, RemoteView } from '#wire/remotes.ts'
import { changeCountsText } from './changes-text.ts'
import { findingsText } from './findings-text.ts'
import { printableText } from './printable-text.ts'
import { tableText } from './table.ts'
import { countText, type Terminal } from './terminal.ts'

export function remotesText(remotes: readonly RemoteView[], terminal: Terminal): string {
  if (remotes.length === 0) return 'No remotes. Add one with "almanac remote add <key> --url <url>".'
  const rows = remotes.map((remote) => [
    remote.key,
    remote.name,
    remote.org.environment,
    remote.url,
    `${remote.proof.kind} ${remote.proof.principal ?? ''}`.trim(),
    contactWords(remote, terminal),
  ])
  return tableText(terminal, ['key', 'name', 'environment', 'address', 'proof', 'last contact'], rows)
}

function contactWords({ contact }: RemoteView, { paint }: Terminal): string {
  switch (contact.state) {
    case 'never':
      return 'never'
    case 'failed':
      return paint.red(`${contact.problem.code} ${timeText(contact.at)}`)
    case 'reached':
      return `generation ${contact.generation} ${timeText(contact.at)}${driftWords(contact.moved)}`
  }
}

function driftWords(moved: number): string {
  return moved === 0 ? '' : `, ${countText(moved, 'generation')} by others`
}

/** Shows one remote after a command changed or tested it. */
export function remoteText(remote: RemoteView, terminal: Terminal): string {
  const { org, contact, name, url } = remote
  const lines = [
    `${printableText(name)} is ${printableText(org.name)} (${org.environment}) at ${url}.`,
    `lineage ${org.lineage}`,
  ]
  if (contact.state === 'reached') {
    const { generation, ms, user, approvals, moved } = contact
    lines.push(
      `Reached in ${Math.round(ms)} ms as ${user.key}: generation ${generation}${driftWords(moved)}.`,
    )
    if (approvals > 0) lines.push(`It requires ${countText(approvals, 'approval')} before an apply.`)
  }
  if (contact.state === 'failed') lines.push(terminal.paint.red(contact.problem.detail))
  return lines.join('\n')
}

const stateWords: Readonly<Record<CompareState, string>> = {
  same: 'the same',
  only_local: 'only in this org',
  only_remote: 'only on the remote',
  changed_local: 'changed in this org',
  changed_remote: 'changed on the remote',
  both: 'changed in both',
}

export function compareCountsText(counts: Readonly<Record<CompareState, number>>): string {
  const parts = (Object.keys(stateWords) as CompareState[]).flatMap((state) =>
    counts[state] === 0 ? [] : [`${counts[state].toLocaleString('en')} ${stateWords[state]}`],
  )
  return `${parts.join(', ')}.`
}

export function compareText(rows: readonly CompareRow[], terminal: Terminal): string {
  return tableText(
    terminal,
    ['component', 'state', 'on the remote', 'in this org', ''],
    rows.map(({ id, state, push, drift }) => [
      id,
      stateWords[state],
      push?.words.before ?? '',
      push?.words.after ?? '',
      drift ? 'by others' : '',
    ]),
  )
}

/** Shows the result of a push or a rollback. */
export function jobText(
  { kind, state, plan, outcome, request, problem, remote }: RemoteJob,
  terminal: Terminal,
): string {
  const { paint } = terminal
  const lines: string[] = []
  if (plan !== null && plan.findings.length > 0)
    lines.push(findingsText(plan.findings, terminal, plan.findingsTotal))
  for (const { id, because } of plan?.cameAlong ?? [])
    lines.push(`${id} is included: ${because[0]?.reason ?? 'it is needed.'}`)
  if (outcome?.generation != null)
    lines.push(
      paint.green(`Generation ${outcome.generation} of ${remote} is active.`) +
        (plan === null ? '' : ` ${changeCountsText(plan.counts)}`),
    )
  else if (state === 'done') lines.push(`Nothing to change: a ${kind} would not change ${remote}.`)
  if (state === 'waiting' && request !== null)
    lines.push(
      `Change request ${request.id} of ${remote} is waiting: ${request.approvals} of ${countText(request.required, 'approval')}.`,
    )
  if (problem !== null) lines.push(paint.red(`${problem.code}  ${printableText(problem.detail, 2000)}`))
  return lines.join('\n')
}

function timeText(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`
}
