// Imports descriptions, and stores those that are new.
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import type { Finding } from '#kernel/errors/finding.ts'
import type { DescriptionSource } from '../external-services/index.ts'
import type { ServiceImports } from '../pipeline/index.ts'
import type { ServiceImportDeps } from './deps.ts'
import { fetchDescription } from './fetch-description.ts'
import { hashFinding, importFinding, tooManyFinding, warningFindings } from './import-findings.ts'
import { importNeed, type ImportedSource, type ImportNeed } from './import-need.ts'
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
  importAgain(
    source: ImportedSource,
    caller: ImportCaller,
    base: ImportTask['base'],
  ): Promise<ImportedService>
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
        const { service, source, credential } = need
        if (at >= mostImports) {
          findings.push(tooManyFinding(service, mostImports))
          continue
        }
        const { hash: pinned } = service
        try {
          const imported = await recent.getOrAdd(`${need.digest} ${caller.actor}`, () =>
            importNow(deps, need, caller),
          )
          if (pinned !== undefined && pinned !== imported.hash)
            findings.push(hashFinding(service, imported.hash, 'url' in source))
          else hashes[service.key] = imported.hash
          findings.push(...warningFindings(service, imported.warnings))
        } catch (error) {
          if (!(error instanceof AlmanacError) || error.kind.class === 'internal') throw error
          findings.push(importFinding(service, error, credential))
        }
      }
      return { hashes, findings }
    },
    importAgain: (source, caller, base) => importNow(deps, importNeed(source, deps.sha256), caller, base),
  }
}

async function importNow(
  deps: ServiceImportDeps,
  need: ImportNeed,
  caller: ImportCaller,
  base?: ImportTask['base'],
): Promise<ImportedService> {
  const { operations } = need.service
  const reply = await deps.importer({ source: await sourceOf(deps, need, caller), operations, base })
  const { hash } = reply.description
  await deps.write((transactor) =>
    transactor.descriptions.put({ ...reply.description, importedAt: deps.clock.now() }),
  )
  return { ...reply, hash }
}

async function sourceOf(
  deps: ServiceImportDeps,
  { source, credential, hasNoSecret }: ImportNeed,
  caller: ImportCaller,
): Promise<DescriptionSource> {
  if ('text' in source) return source
  return fetchDescription(deps, { url: source.url, credential, hasNoSecret, ...caller })
}
