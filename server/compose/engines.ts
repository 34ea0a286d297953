// The engines over an open org: access, evaluation, change requests, remotes.
import { hash } from 'node:crypto'
import {
  createAccess,
  recordAudit,
  type Access,
  type Actor,
  type AuditFact,
  type SessionLimits,
} from '../access/index.ts'
import {
  createClientAssertions,
  createClientSecrets,
  type ClientAssertions,
  type ClientSecrets,
} from '../clients/index.ts'
import { createBreakers, testCall, type Breakers, type TestCall } from '../callouts/index.ts'
import { requireSigningKey } from '../check/index.ts'
import { createIngests, eraseParts, type Ingests } from '../bulk/index.ts'
import { fileParts } from '../storage/files/index.ts'
import {
  createCredentials,
  createSecretSource,
  createVerifyingSecrets,
  vaultTokens,
  type Credentials,
} from '../credentials/index.ts'
import { createEvaluation, type EvaluationEngine } from '../evaluation/index.ts'
import type { TestCallView } from '#wire/operations.ts'
import {
  createDiscardAudit,
  createOutbox,
  createOutboxActions,
  makeCalloutWith,
  type Outbox,
  type OutboxActions,
} from '../outbox/index.ts'
import { mintOutsideTransaction } from '../ports/outside-transaction.ts'
import { readLargeServiceDraft, type DraftReading, type Org } from '../pipeline/index.ts'
import type { OrgTransactor } from '../ports/org-store.ts'
import type { CustodyChannel, SecretCustody } from '../ports/secret-custody.ts'
import type { RecordReader } from '../ports/record-store.ts'
import { createRecords, createSourceSetup, type Records, type SourceSetup } from '../records/index.ts'
import { createRemotes, defaultRemoteOptions, type Remotes, type RemoteOptions } from '../remotes/index.ts'
import { createChangeRequests, type ChangeRequests } from '../requests/index.ts'
import {
  createOpenOperations,
  createPayloads,
  createServiceCalls,
  type OpenOperations,
  type Payloads,
  type PayloadThread,
  type ServiceCalls,
} from '../service-calls/index.ts'
import {
  createServiceImports,
  importNeed,
  withServiceImports,
  type ImportRunner,
  type ServiceImportsEngine,
} from '../service-import/index.ts'
import type { SpanExporter } from '../otlp/index.ts'
import { addressRule, systemRandom, systemTimer, undiciOutbound } from '../system/index.ts'
import { descriptionThread } from './description-thread.ts'
import { createSourceTimes, type SourceTimes } from '../virtual/index.ts'
import {
  createDeliveries,
  createDeliveryActions,
  type Deliveries,
  type DeliveryActions,
} from '../webhooks/index.ts'
import type { OpenedOrg } from './open-org.ts'
import { callTargets, openCallouts, type OpenedCallouts } from './open-callouts.ts'
import { openTrace, type OpenedTrace } from './open-trace.ts'
import { openVault } from './open-vault.ts'
import { openReceiver, type OpenedReceiver } from './open-webhooks.ts'
import { callSource, createRemoteSources, type CallSource } from './remote-sources.ts'
import { ingestFolder, signingKeysOf } from './org-folder.ts'
import { accessChecks } from './pipeline-deps.ts'

export interface Engines {
  /** Applies and plans import descriptions first. */
  org: Org
  serviceImports: ServiceImportsEngine
  serviceCalls: ServiceCalls
  operations: OpenOperations
  payloads: Payloads
  access: Access
  clientSecrets: ClientSecrets
  clientAssertions: ClientAssertions
  evaluation: EvaluationEngine
  requests: ChangeRequests
  remotes: Remotes
  records: Records
  ingests: Ingests
  credentials: Credentials
  /** The secrets of remotes. */
  custody: SecretCustody
  outbox: Outbox
  outboxActions: OutboxActions
  webhooks: OpenedReceiver
  deliveries: Deliveries
  deliveryActions: DeliveryActions
  /** The execution trace, and what is counted for metrics. */
  tracing: OpenedTrace
  breakers: Breakers
  testCall(call: TestCall): Promise<TestCallView>
  /** What is called outside; opened when it is first used. */
  outside(): OpenedCallouts
  /** Closes it if it was opened. */
  closeOutside(): Promise<void>
  /** Calls sources of virtual objects. */
  callSource: CallSource
  /** How long the latest calls to sources of virtual objects took. */
  sourceTimes: SourceTimes
  sourceSetup: SourceSetup
  /** 32 bytes that seal cursors and positions, the same in every process of the org. */
  cursorKey(): Buffer
}

export interface EngineOptions {
  /** The channel to the process with the keychain; without it, secrets are files in the org's folder. */
  custody?: CustodyChannel
  /** 32 bytes in base64 that the keychain has opened, for the vault; without it, its key is a file. */
  vaultKey?: string | null | undefined
  /** The URLs that remotes may have; if omitted, any URL, as for a user of this machine. */
  reach?: { isOwnMachine: boolean; allowed: readonly string[] }
  /** How long sessions of the one-time link last. */
  linkLimits?: SessionLimits | undefined
  /** Timeouts and retries for remotes. */
  terms?: Partial<RemoteOptions>
  /** Imports descriptions in the thread that has the secrets; if omitted, in this one. */
  importServices?: ImportRunner
  /** Makes the calls to sources of virtual objects; if omitted, `outside` does. */
  callSource?: CallSource
  /** Reads and writes large requests and responses of services; if omitted, this thread does. */
  payloadThread?: PayloadThread
  /** Reads drafts of services that contain long descriptions; if omitted, this thread does. */
  readLargeDraft?: DraftReading
  /** Exports spans; if omitted, none are exported. */
  exporter?: SpanExporter | null
  /** Receives unexpected errors of a job. */
  onError?: (error: unknown) => void
}

export function enginesOf(opened: OpenedOrg, options: EngineOptions = {}): Engines {
  const { store, clock, ids, sha256, buildEvidence } = opened
  const random = systemRandom
  const reach = options.reach ?? { isOwnMachine: true, allowed: [] }
  const outbound = undiciOutbound(addressRule(reach))
  const cursorKey = cursorKeyOf(opened)
  const snapshots = { active: () => opened.pin(), at: (generation: number) => opened.pin(generation) }
  const tracing = openTrace(opened, options.exporter ?? null)
  const evaluation = createEvaluation({
    store,
    write: opened.write,
    snapshots,
    clock,
    ids,
    buildEvidence,
    sha256,
  })
  const { vault, rows, custody } = openVault(opened, {
    vaultKey: options.vaultKey ?? null,
    channel: options.custody ?? null,
  })
  const credentialDeps = {
    ...{ store, write: opened.write, clock, ids, vault, rows },
    audit: (transactor: OrgTransactor, by: Actor, fact: AuditFact, at = clock.now()) =>
      recordAudit(transactor, by, at, fact),
  }
  const secrets = createSecretSource(credentialDeps)
  const tokenStore = vaultTokens({ vault, rows }, (key) =>
    store.read(
      (reader) => reader.identities.at(reader.generations.active(), `external_credential/${key}`) ?? key,
    ),
  )
  let calls: OpenedCallouts | null = null
  const outside = (): OpenedCallouts =>
    (calls ??= openCallouts(opened, { secrets, tokenStore, observers: tracing, reach, credentialDeps }))
  const serviceImports = createServiceImports({
    ...{ write: opened.write, clock, sha256, outbound },
    importer: descriptionThread(systemTimer),
    callouts: () => outside().callouts,
    capability: mintOutsideTransaction,
  })
  const operations = createOpenOperations(store)
  const payloads = createPayloads(options.payloadThread ?? null)
  const { importServices = serviceImports.importAll } = options
  const org = withServiceImports(opened, accessChecks, importServices)
  const sourceTimes = createSourceTimes()
  const callOfSource =
    options.callSource ??
    callSource({
      execute: (call, withinMs) => outside().callouts.execute(mintOutsideTransaction(), call, { withinMs }),
      times: sourceTimes,
    })
  const sources = createRemoteSources(callOfSource)
  const audit = (by: Actor, fact: AuditFact): Promise<void> =>
    org.write((transactor) => recordAudit(transactor, by, clock.now(), fact))
  const ingestParts = fileParts(ingestFolder(opened.dir))
  const readRecords = <T>(work: (reader: RecordReader) => Promise<T>): Promise<T> =>
    org.records.store().read(work)
  const outboxDeps = {
    ...{ audit, writes: org.records.outbox },
    isUsed: () => store.read((reader) => reader.recordFacts.anyCall()),
    read: readRecords,
  }
  const outboxActions = createOutboxActions(outboxDeps)
  const deliveryDeps = {
    ...{ audit, org: store, read: outboxDeps.read, writes: org.records.deliveries, clock },
    isUsed: () => store.read((reader) => reader.recordFacts.anyDelivery()),
  }
  const records = createRecords({
    ...{ ...org.records, clock, ids, cursorKey, evidence: evaluation.recordEvidence },
    makeCallout: makeCalloutWith({
      callouts: () => outside().callouts,
      ...{ capability: mintOutsideTransaction(), targets: callTargets(opened, { operations, payloads }) },
    }),
    sources,
    audit,
    eraseParts: (identity) =>
      eraseParts({ read: readRecords, writes: org.records.ingests, store: ingestParts }, identity),
    jobAudit: createDiscardAudit({
      ...{ read: outboxDeps.read, audit },
      hasJobs: () => store.read((reader) => reader.recordFacts.anyJob()),
    }),
  })
  return {
    org,
    serviceImports,
    tracing,
    operations,
    payloads,
    serviceCalls: createServiceCalls({
      ...{ operations, payloads, ids, capability: mintOutsideTransaction() },
      callouts: () => outside().callouts,
    }),
    credentials: createCredentials(credentialDeps),
    custody,
    outbox: createOutbox({ ...outboxDeps, clock }),
    outboxActions,
    webhooks: openReceiver(opened, {
      secrets: createVerifyingSecrets(credentialDeps),
      refusals: tracing.refusals,
    }),
    deliveries: createDeliveries(deliveryDeps),
    deliveryActions: createDeliveryActions(deliveryDeps),
    breakers: createBreakers({
      ...{ clock, audit, credentials: () => [...org.pin().view.list('named_credential')] },
      read: (work) => org.records.store().read(work),
      breaker: (credential) => outside().callouts.breaker(credential),
      unreported: (credential) => outside().callouts.unreported(credential),
    }),
    outside,
    closeOutside: async () => calls?.close(),
    callSource: callOfSource,
    sourceTimes,
    sourceSetup: createSourceSetup(sources),
    testCall: (call) => testCall(outside().callouts, mintOutsideTransaction(), call),
    access: createAccess({ store, write: org.write, clock, ids, random, linkLimits: options.linkLimits }),
    clientAssertions: createClientAssertions({ store, write: org.write, clock }),
    clientSecrets: createClientSecrets({ store, write: org.write, clock, random }),
    evaluation,
    requests: createChangeRequests({ store, write: org.write, org, clock, ids }),
    ingests: createIngests({
      ...{ clock, ids, snapshots: org.records.snapshots, accessOf: org.records.accessOf, uses: records },
      writes: org.records.ingests,
      parts: ingestParts,
      read: readRecords,
    }),
    records,
    cursorKey,
    remotes: createRemotes({
      ...{ store, write: org.write, org, clock, ids, sha256, outbound },
      loadViewer: accessChecks.viewer,
      importDescription: async (service, text, { actor, correlationId }) => {
        const need = importNeed({ service, text, credential: undefined, hasNoSecret: false }, sha256)
        const { findings } = await importServices([need], { actor, correlationId })
        return findings.filter(({ severity }) => severity === 'error')
      },
      readLargeDraft: options.readLargeDraft ?? (async (draft) => readLargeServiceDraft(draft)),
      custody,
      options: { ...defaultRemoteOptions, ...options.terms },
      ...(options.onError === undefined ? {} : { onError: options.onError }),
    }),
  }
}

/** Follows from the signing key, so that all processes of the org have the same. */
function cursorKeyOf({ dir, store }: Pick<OpenedOrg, 'dir' | 'store'>): () => Buffer {
  let key: Buffer | null = null
  const newKey = (): Buffer => {
    const keys = signingKeysOf(dir)
    requireSigningKey(store, keys)
    return hash('sha256', keys.sign(Buffer.from('almanac record cursors 1')), 'buffer')
  }
  return () => (key ??= newKey())
}
