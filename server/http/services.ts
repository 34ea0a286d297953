// The services of the HTTP edge; server/compose/ creates them.
import type { Access } from '../access/index.ts'
import type { IngestCounts, IngestRunner, Ingests } from '../bulk/index.ts'
import type { ClientAssertions, ClientLimits, ClientSecrets } from '../clients/index.ts'
import type { Consents, Credentials } from '../credentials/index.ts'
import type { EventWatch } from '../events/index.ts'
import type { EvaluationEngine } from '../evaluation/index.ts'
import type { Outbox, OutboxActions, OutboxWorker } from '../outbox/index.ts'
import type { Org } from '../pipeline/index.ts'
import type { Clock, IdGenerator } from '../ports/clock.ts'
import type { OrgStore } from '../ports/org-store.ts'
import type { Spans } from '../ports/spans.ts'
import type { JobRunner, Records, SourceSetup } from '../records/index.ts'
import type { SourceTimes } from '../virtual/index.ts'
import type { OtlpCounts } from '../otlp/index.ts'
import type { Breakers, CalloutCounts, TestCall } from '../callouts/index.ts'
import type { ClientTraffic, Trace } from '../trace/index.ts'
import type { ServiceCalls } from '../service-calls/index.ts'
import type { ServiceImportsEngine } from '../service-import/index.ts'
import type { Remotes } from '../remotes/index.ts'
import type { ChangeRequests } from '../requests/index.ts'
import type { TestCallView } from '#wire/operations.ts'
import type { Deliveries, DeliveryActions, ReceiptRate, Receiver, TestSender } from '../webhooks/index.ts'
import type { CallerCache } from './caller-cache.ts'
import type { EventHub } from './event-hub.ts'
import type { Lanes } from './lanes.ts'
import type { KnownDevices } from './known-devices.ts'
import type { KnownKeys } from './known-keys.ts'
import type { Log } from './log.ts'
import type { LongReads } from './long-reads.ts'
import type { Moments } from './moments.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import type { StudioLink } from './studio-link.ts'
import type { Site } from './site.ts'
import type { Throttle } from './throttle.ts'
import type { Problems } from './views/problems.ts'

export interface Services {
  org: Org
  store: OrgStore
  access: Access
  clientSecrets: ClientSecrets
  credentials: Credentials
  /** What is called outside. */
  outside(): { consents: Consents }
  outbox: Outbox
  outboxActions: OutboxActions
  webhooks: { receiver: Receiver; testSender: TestSender }
  deliveries: Deliveries
  deliveryActions: DeliveryActions
  /** Null in a worker of a lane. */
  deliveryWorker: { wake(): void } | null
  /** Null if webhooks are not limited: in tests, and in workers. */
  receiptRate: ReceiptRate | null
  serviceCalls: ServiceCalls
  serviceImports: ServiceImportsEngine
  /** Null in a worker of a lane. */
  outboxWorker: Pick<OutboxWorker, 'wake'> | null
  breakers: Breakers
  testCall(call: TestCall): Promise<TestCallView>
  /** The execution trace, and what is counted for it and for metrics. */
  tracing: {
    trace: Trace
    calloutCounts: CalloutCounts
    clientTraffic: ClientTraffic
    /** Of exports; null if none is configured. */
    otlp: OtlpCounts | null
    /** Events that could not be written since the start. */
    lost(): number
  }
  clientAssertions: ClientAssertions
  evaluation: EvaluationEngine
  longReads: LongReads
  /** Null if everything is handled in this thread. */
  lanes: Lanes | null
  requests: ChangeRequests
  remotes: Remotes
  records: Records
  /** Services behind virtual objects, for authors. */
  sourceSetup: SourceSetup
  /** How long the latest calls to them took, in this thread. */
  sourceTimes: Pick<SourceTimes, 'of'>
  /** Seals positions. */
  cursorKey(): Buffer
  ingests: Ingests
  /** Null in a worker of a lane, which follows no events. */
  eventWatch: Pick<EventWatch, 'watch'> | null
  /** Null in a worker of a lane. */
  ingestRunner: (Pick<IngestRunner, 'wake'> & { counts: Pick<IngestCounts, 'read'> }) | null
  /** Null in a worker of a lane. */
  recordJobs: Pick<JobRunner, 'wake'> | null
  callers: CallerCache
  moments: Moments
  clock: Clock
  ids: IdGenerator
  site: Site
  /** Null if no studio is served to this machine. */
  link: StudioLink | null
  /** Folder of the built studio; null if none is served. */
  studioFolder: string | null
  /** Failed attempts by source. */
  throttle: Throttle
  /** Failed attempts with API keys, by source and by key. */
  keyThrottle: Throttle
  knownKeys: KnownKeys
  /** Null if clients are not limited: in tests, and in workers, where a request was admitted before. */
  clientLimits: ClientLimits | null
  /** Failed attempts by account, over all sources. */
  accountThrottle: Throttle
  devices: KnownDevices
  events: EventHub
  metrics: Metrics
  /** For the collector of the operator; null without one. */
  spans: Spans | null
  problems: Problems
  readiness: Readiness
  /** The user of the operating system who runs the server and acts through the one-time link. */
  operatorName: string
  log: Log
  version: string
  /** In tests: a response that its route does not declare is an error. */
  checkReplies: boolean
}
