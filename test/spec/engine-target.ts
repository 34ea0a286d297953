// The engine in this process, over an org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { initOrg } from '../../server/compose/open-org.ts'
import type { ApplyRequest } from '../../server/pipeline/index.ts'
import type { SpecOrg, SpecOutcome, SpecRequest, SpecTarget } from './target.ts'

export const engineTarget: SpecTarget = { name: 'the engine', reach: 'engine', start }

async function start(): Promise<SpecOrg> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-spec-'))
  const org = initOrg(folder, { name: 'Spec', environment: 'test' })
  return {
    apply: async (request) => outcomeOf(org.apply(changeRequest(request))),
    plan: async (request) => (await org.plan(changeRequest(request))).changeDigest,
    addUser: (key, permissionSets) =>
      org.write((transactor) =>
        transactor.people.putUser({
          key,
          name: key,
          active: true,
          locale: null,
          passwordHash: null,
          groups: [],
          permissionSets: [...permissionSets],
        }),
      ),
    activeGeneration: async () => org.activeGeneration(),
    close: async () => {
      await org.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function changeRequest({
  components = [],
  removals = [],
  actor = 'admin',
  ...rest
}: SpecRequest): ApplyRequest {
  return { source: { kind: 'components', components, removals: removals as ComponentId[] }, actor, ...rest }
}

async function outcomeOf(applied: Promise<{ generation: number; findings: unknown }>): Promise<SpecOutcome> {
  try {
    const { generation, findings } = await applied
    return { ok: true, generation, findings: findings as never }
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    return { ok: false, code: error.code, message: error.message, details: [...error.details] }
  }
}
