// Imports descriptions, and stores those that are new.
import type { ComponentOf } from '#kernel/components/body-types.ts'
import { isDescriptionAddress } from '#kernel/components/external-service/source.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { DescriptionSource } from '../external-services/index.ts'
import type { ServiceImports } from '../pipeline/index.ts'
import type { ServiceImportDeps } from './deps.ts'
import { fetchDescription } from './fetch-description.ts'
import { hashFinding, importFinding, tooManyFinding, warningFindings } from './import-findings.ts'
import type { ImportNeed } from './import-needs.ts'
import type { ImportReply, ImportTask } from './import-task.ts'
import { RecentImports } from './recent-imports.ts'

export interface ImportCaller {
  actor: string
  correlationId: string
}

export interface ImportedService extends ImportReply {
  hash: string
}

export interface ServiceImportsEngine {
  /** Imports what a change list needs. Faults of descriptions and of targets are findings. */
  importAll(needs: readonly ImportNeed[], caller: ImportCaller): Promise<ServiceImports>
  /** Imports a description again, from its source. @throws AlmanacError of class integration, `description.…` */
  importAgain(need: ImportNeed, caller: ImportCaller, base: ImportTask['base']): Promise<ImportedService>
}

/** Descriptions that one change list imports: each takes a thread for a while. */
const mostImports = 100

export function createServiceImports(deps: ServiceImportDeps): ServiceImportsEngine {
  const recent = new RecentImports<ImportedService>(() => Date.parse(deps.clock.now()))
  return {
    importAll: async (needs, caller) => {
      const hashes: Record<string, string> = {}
      const findings: Finding[] = []
      for (const [at, need] of needs.entries()) {
        const { service, text, credential } = need
        if (at >= mostImports) {
          findings.push(tooManyFinding(service, mostImports))
          continue
        }
        const { source, hash: pinned } = service.body.spec
        const what = [caller.actor, service.body, text, credential?.body]
        try {
          const imported = await recent.getOrAdd(what, () => importNow(deps, need, caller))
          if (pinned !== undefined && pinned !== imported.hash)
            findings.push(hashFinding(service, imported.hash, text === null && isDescriptionAddress(source)))
          else hashes[service.key] = imported.hash
          findings.push(...warningFindings(service, imported.warnings))
        } catch (error) {
          if (!(error instanceof AlmanacError) || error.kind.class === 'internal') throw error
          findings.push(importFinding(service, error, credential))
        }
      }
      return { hashes, findings }
    },
    importAgain: (need, caller, base) => importNow(deps, need, caller, base),
  }
}

async function importNow(
  deps: ServiceImportDeps,
  need: ImportNeed,
  caller: ImportCaller,
  base?: ImportTask['base'],
): Promise<ImportedService> {
  const { operations } = need.service.body
  const reply = await deps.importer({ source: await sourceOf(deps, need, caller), operations, base })
  const { hash } = reply.description
  await deps.write((transactor) =>
    transactor.descriptions.put({ ...reply.description, importedAt: deps.clock.now() }),
  )
  return { ...reply, hash }
}

async function sourceOf(
  deps: ServiceImportDeps,
  { service, text, credential, hasNoSecret }: ImportNeed,
  caller: ImportCaller,
): Promise<DescriptionSource> {
  const { source } = service.body.spec
  if (text !== null) return { text, name: `external_service/${service.key}.openapi.json` }
  if (isDescriptionAddress(source))
    return fetchDescription(deps, { url: source, credential, hasNoSecret, ...caller })
  return { text: sourceText(source), name: `the description of ${service.key}` }
}

const sourceText = (source: ComponentOf<'external_service'>['body']['spec']['source']): string =>
  typeof source === 'string' ? source : JSON.stringify(source)
