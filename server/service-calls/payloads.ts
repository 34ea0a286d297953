// Requests and responses of operations. Small ones are written and read at once, large ones in a thread of their own,
// under a deadline, so that no other request waits for them.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { valueToJson } from '#kernel/expr/index.ts'
import type { CalloutResponse } from '../callouts/index.ts'
import type { SentArguments } from './argument-values.ts'
import type { OpenOperation, OpenOperations } from './open-operations.ts'
import { operationBody, tooLargeResponse } from './operation-body.ts'
import { operationRequest, type OperationRequestResult } from './operation-request.ts'

export interface Payloads {
  /** @param caller in whose turn a large request is written */
  request(operation: OpenOperation, sent: SentArguments, caller: string): Promise<OperationRequestResult>
  /**
   * The body of a response as JSON, numbers as text.
   *
   * @param key `<service>.<operation>`, for errors
   * @throws AlmanacError `integration.wrong_type`, `integration.too_large`
   */
  body(operation: OpenOperation, key: string, response: CalloutResponse, caller: string): Promise<unknown>
  /** Whether the response is as its description declares. @throws as `body` */
  check(operation: OpenOperation, key: string, response: CalloutResponse, caller: string): Promise<void>
}

export type PayloadTask = { hash: string; name: string } & (
  | { kind: 'request'; sent: SentArguments }
  | { kind: 'body' | 'check'; key: string; response: CalloutResponse }
)

/** The text of the body as JSON; null for a check. */
export type PayloadReply = OperationRequestResult | string | null

/** @throws AlmanacError `limit.deadline`, `limit.memory`, `limit.busy`, and those of the task */
export type PayloadThread = (task: PayloadTask, caller: string) => Promise<PayloadReply>

/** Larger ones can take more than some milliseconds. */
const mostHere = 8 * 1024

/** @param inThread null to do everything here, as in a thread that may take its time */
export function createPayloads(inThread: PayloadThread | null): Payloads {
  const bodyOf = async (
    kind: 'body' | 'check',
    { hash, callable }: OpenOperation,
    key: string,
    response: CalloutResponse,
    caller: string,
  ): Promise<unknown> => {
    const task: PayloadTask = { kind, hash, name: callable.operation.name, key, response }
    if (inThread === null || response.body.length <= mostHere) {
      const value = operationBody(callable, key, response)
      return kind === 'body' ? valueToJson(value) : null
    }
    const text = await inThread(task, caller).catch((error: unknown) => {
      throw isLimit(error) ? tooLargeResponse(key, response, tooMuch(error)) : error
    })
    return text === null ? null : JSON.parse(text as string)
  }
  return {
    request: async ({ hash, callable }, sent, caller) => {
      if (inThread === null || JSON.stringify(sent).length <= mostHere)
        return operationRequest(callable, sent)
      const task: PayloadTask = { kind: 'request', hash, name: callable.operation.name, sent }
      return (await inThread(task, caller).catch((error: unknown) => {
        if (!isLimit(error)) throw error
        const words = error.code === 'limit.memory' ? 'too much memory' : 'too long'
        return { ok: false, issue: { pointer: '', message: `The arguments take ${words} to check.` } }
      })) as OperationRequestResult
    },
    body: (...asked) => bodyOf('body', ...asked),
    check: async (...asked) => void (await bodyOf('check', ...asked)),
  }
}

/** In the thread. */
export function runPayloadTask(operations: OpenOperations, task: PayloadTask): PayloadReply {
  const found = operations.find(task.hash, task.name)
  if (found === null) throw new Error(`The description ${task.hash} has no operation ${task.name}.`)
  if (task.kind === 'request') return operationRequest(found.callable, task.sent)
  const value = operationBody(found.callable, task.key, task.response)
  return task.kind === 'check' ? null : JSON.stringify(valueToJson(value))
}

const isLimit = (error: unknown): error is AlmanacError =>
  error instanceof AlmanacError && (error.code === 'limit.deadline' || error.code === 'limit.memory')

const tooMuch = ({ code }: AlmanacError): string =>
  code === 'limit.memory' ? 'takes too much memory to read' : 'takes too long to read'
