// Deliveries to webhook endpoints: those that wait, dead ones, and test deliveries.
import type { DeliveryDetailView, DeliveryView, VerificationStepView } from '#wire/deliveries.ts'
import { get, post } from './request.ts'

export type {
  DeliveryContentView,
  DeliveryDetailView,
  DeliveryView,
  VerificationStepView,
} from '#wire/deliveries.ts'

export type DeliveryState = DeliveryView['state']

/** What the address of the page has, as the server takes it. */
export interface DeliveryQuery {
  state?: DeliveryState | 'open' | undefined
  failed?: 'true' | undefined
  endpoint?: string | undefined
  correlationId?: string | undefined
  since?: string | undefined
}

export interface DeliveryPage {
  rows: DeliveryView[]
  counts: Record<DeliveryState, number>
  nextCursor: string | null
}

const deliveries = '/setup/v3/deliveries'
const pathOf = (id: string): string => `${deliveries}/${encodeURIComponent(id)}`

export const fetchDeliveries = (query: DeliveryQuery, cursor?: string): Promise<DeliveryPage> =>
  get(deliveries, { ...query, cursor, limit: 100 })
export const fetchDelivery = (id: string): Promise<DeliveryDetailView> => get(pathOf(id))
export const requeueDelivery = (id: string, acceptRepeat: boolean): Promise<void> =>
  post(`${pathOf(id)}/requeue`, { acceptRepeat })
export const discardDelivery = (id: string, reason: string): Promise<void> =>
  post(`${pathOf(id)}/discard`, { reason })

export const handleDeliveries = (request: {
  action: 'requeue' | 'discard'
  filter: Omit<DeliveryQuery, 'state' | 'failed'>
  acceptRepeat?: boolean
  reason?: string
  dryRun?: boolean
}): Promise<{ rows: number; unrepeatable: number; job: string | null }> =>
  post(`${deliveries}/actions`, request)

export interface WebhookTest {
  result: 'stored' | 'repeated' | 'challenge' | 'refused'
  /** Null if nothing is stored. */
  delivery: string | null
  /** What the sender gets back; null unless it is a challenge. */
  challenge: string | null
  /** What the sender gets; null unless the delivery is refused. */
  refusal: { status: number; code: string; detail: string } | null
  steps: VerificationStepView[]
}

/** Signs a body and sends it to a webhook endpoint. */
export const testWebhook = (
  endpoint: string,
  request: {
    body: string
    id?: string | undefined
    secret: 'current' | 'next' | 'wrong'
    /** Seconds before now; negative for the future. */
    ageSec: number
  },
): Promise<WebhookTest> => post(`/setup/v3/webhooks/${encodeURIComponent(endpoint)}/test`, request)
