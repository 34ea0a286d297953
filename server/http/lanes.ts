// Lanes run long work outside the main thread, each caller in turn, under a deadline.
import type { FieldUse } from '../ports/field-use.ts'
import type { Budget } from './budget.ts'
import type { SerializedContext } from './identity.ts'
import type { ReplyContent } from './reply.ts'

/** A request as plain data. */
export interface RouteCall {
  params: Record<string, unknown>
  query: Record<string, unknown>
  /** Null without a body. */
  blocks: readonly Uint8Array[] | null
  /** Maximum number of values in the body. */
  elements: number
  correlationId: string
}

/** A request of an admitted caller, as sent to a worker. */
export interface LaneCall extends RouteCall {
  /** Name of the route. */
  route: string
  context: SerializedContext
}

/** A complete response, as sent back. */
export interface LaneReply extends Pick<ReplyContent, 'status' | 'headers' | 'media'> {
  bytes?: Uint8Array
  /** The position of records that the response reflects. */
  recordPosition: number
  /** Fields that the client of the request has used. */
  uses: readonly FieldUse[]
}

export interface Lanes {
  /** @throws AlmanacError `limit.deadline`, `limit.memory`, `limit.busy`, and those of the route */
  run(call: LaneCall, budget: Budget, effect: 'reads' | 'writes'): Promise<LaneReply>
}
