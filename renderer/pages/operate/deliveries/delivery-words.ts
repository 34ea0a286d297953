// The words and marks of deliveries to webhook endpoints.
import type { DeliveryView, VerificationStepView } from '../../../api/deliveries.ts'
import type { TraceEventView } from '../../../api/operate.ts'
import type { Mark } from '../operate-words.ts'

export function deliveryMark({ state, problem }: Pick<DeliveryView, 'state' | 'problem'>): Mark {
  switch (state) {
    case 'pending':
      return problem === null
        ? { words: 'waiting', icon: 'ring', tone: 'muted' }
        : { words: 'retrying', icon: 'again', tone: 'warn' }
    case 'held':
      return { words: 'held', icon: 'hold', tone: 'warn' }
    case 'dispatching':
      return { words: 'dispatching', icon: 'send', tone: 'ok' }
    case 'dispatched':
      return { words: 'dispatched', icon: 'okay', tone: 'ok' }
    case 'dead':
      return { words: 'dead letter', icon: 'error', tone: 'err' }
    case 'discarded':
      return { words: 'discarded', icon: 'trash', tone: 'muted' }
  }
}

export const stepNames: Readonly<Record<VerificationStepView['step'], string>> = {
  signature_header: 'Signature header',
  timestamp: 'Time header',
  id: 'Id',
  age: 'Age',
  signature: 'Signature',
}

/** A step of the trace, which can be of a later version. */
export const stepName = (step: string): string => stepNames[step as keyof typeof stepNames] ?? step

/** What it is called by: the id of its sender, or else the end of ours. */
export const deliveryName = ({ id, senderId }: Pick<DeliveryView, 'id' | 'senderId'>): string =>
  senderId ?? `…${id.slice(-8)}`

/** What a dispatch writes, calls or publishes on, as the endpoint declares it. */
export interface DispatchTarget {
  kind: 'object' | 'automation' | 'event_channel'
  key: string
}

const targetWords = { object: 'record of', automation: 'automation', event_channel: 'channel' } as const

/** `record of contact` */
export const wordsOfTarget = ({ kind, key }: DispatchTarget): string => `${targetWords[kind]} ${key}`

export type RefusalEvent = Extract<TraceEventView, { kind: 'refusal' }>
export type RefusalsEvent = Extract<TraceEventView, { kind: 'refusals' }>

/** Why a request was refused: the first step that failed; without one, the secret was absent. */
export function refusalReason({ facts }: RefusalEvent): { name: string; detail: string } {
  const failed = facts.steps.find(({ isPassed }) => !isPassed)
  return failed === undefined
    ? { name: 'Secret', detail: 'The endpoint has no secret that can be read.' }
    : { name: stepName(failed.step), detail: failed.detail }
}

/** Key of the endpoint. */
export const endpointOfEvent = ({ subject }: TraceEventView): string =>
  (subject ?? '').slice((subject ?? '').indexOf('/') + 1)
