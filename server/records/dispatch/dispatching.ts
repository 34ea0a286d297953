// A delivery that is dispatched: where to, as whom, and what it contains.
import type { ScopePath } from '#kernel/components/scopes.ts'
import type { WebhookEndpointBody } from '#kernel/components/webhook-endpoint/body.ts'
import type { DeliveredBody } from '#kernel/webhooks/index.ts'
import type { Delivery, DeliveryResult } from '../../ports/deliveries.ts'

export interface DispatchCommand {
  /** Id of the delivery, and the token of its claim. */
  delivery: string
  token: string
  /** Key of the endpoint in the generation. */
  endpoint: string
  dispatch: WebhookEndpointBody['dispatch']
  /** The active generation. */
  generation: number
  /** The user that the endpoint runs as. */
  user: string
  correlationId: string
  scopePath: ScopePath
  client?: null
}

/** What a dispatch is given. */
export interface Dispatching {
  command: DispatchCommand
  delivery: Delivery
  body: DeliveredBody
}

export const noResult: DeliveryResult = { record: null, outcome: null, operation: null, event: null }
