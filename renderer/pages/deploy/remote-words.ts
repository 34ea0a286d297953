// The words of the deploy pages for remotes, compared rows and jobs.
import type {
  CompareRow,
  RemoteColour,
  RemoteJobSummary,
  RemoteJobKind,
  RemoteJobState,
  RemoteJobStep,
  RemoteView,
} from '#wire/remotes.ts'
import { count } from '../../text/words.ts'

export const colours = [
  'grey',
  'blue',
  'green',
  'amber',
  'red',
  'violet',
] as const satisfies readonly RemoteColour[]

/** `Production`, `Test`, `prod-eu`. */
export function environmentWords(environment: string): string {
  if (/^prod(uction)?$/i.test(environment)) return 'Production'
  return environment.charAt(0).toUpperCase() + environment.slice(1)
}

/** How many generations others created there since it was last seen; 0 if nothing is known. */
export function countDrift({ contact }: Pick<RemoteView, 'contact'>): number {
  return contact.state === 'reached' ? contact.moved : 0
}

/** The state of a row, against what was last seen there. */
export function stateWords({ state, drift }: Pick<CompareRow, 'state' | 'drift'>): string {
  switch (state) {
    case 'same':
      return drift ? 'changed remotely to match' : 'the same'
    case 'only_local':
      return drift ? 'removed remotely by others' : 'only in this org'
    case 'only_remote':
      return drift ? 'added remotely by others' : 'only on the remote'
    case 'changed_local':
      return 'changed locally'
    case 'changed_remote':
      return 'changed remotely by others'
    case 'both':
      return 'changed on both sides'
  }
}

/** What is pushed by default: new or changed here, and not changed there by others. */
export function isPushedByDefault({ state, drift }: Pick<CompareRow, 'state' | 'drift'>): boolean {
  return (state === 'only_local' || state === 'changed_local') && !drift
}

export const kindWords = {
  retrieve: 'Retrieve',
  compare: 'Compare',
  push: 'Push',
  rollback: 'Restore',
} as const satisfies Record<RemoteJobKind, string>

export const jobStateWords = {
  running: 'running',
  review: 'waiting for your review',
  waiting: 'waiting for approval',
  done: 'done',
  failed: 'failed',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
} as const satisfies Record<RemoteJobState, string>

const stepWords = {
  contact: 'Connecting',
  list: 'Listing its components',
  fetch: 'Fetching content',
  compare: 'Comparing',
  plan: 'Validating on the remote',
  send: 'Sending',
  confirm: 'Checking whether it arrived',
  approval: 'Requesting approval',
  finish: 'Checking the outcome',
} as const satisfies Record<RemoteJobStep, string>

/** `Sending, 120 of 331`. */
export function progressWords({
  step,
  done,
  total,
}: Pick<RemoteJobSummary, 'step' | 'done' | 'total'>): string {
  if (done === 0 && total === null) return stepWords[step]
  const many = done.toLocaleString('en-GB')
  return total === null
    ? `${stepWords[step]}, ${many}`
    : `${stepWords[step]}, ${many} of ${total.toLocaleString('en-GB')}`
}

/** `2 generations by others since you last looked`. */
export function driftWords(moved: number): string {
  return `${count(moved, 'generation')} by others since you last looked`
}

/** Creates a key from a name: `Kestrel, Production` becomes `kestrel_production`. */
export function keyOfName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
  return plain.slice(0, 80)
}
