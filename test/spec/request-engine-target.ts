// Change requests in this process, over an org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ComponentId } from '#kernel/components/component.ts'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg } from '../../server/compose/open-org.ts'
import { redactChange } from '../../server/pipeline/index.ts'
import type { ChangeRequestSummary } from '#kernel/requests/index.ts'
import { ground } from './ground.ts'
import {
  people,
  peopleSets,
  usualBody,
  type RequestOrg,
  type RequestOutcome,
  type RequestTarget,
} from './request-target.ts'
import type { SpecOutcome } from './target.ts'

export const requestEngineTarget: RequestTarget = { name: 'the engine', start }

type Refused = Extract<RequestOutcome, { ok: false }>

async function start(): Promise<RequestOrg> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-requests-'))
  const org = initOrg(folder, { name: 'Spec', environment: 'test' })
  const { requests, access } = enginesOf(org)
  const by = (actor: string) => ({ actor, correlationId: 'spec' })
  const operator = { ...by('admin'), isOperator: true }
  const components = (list: readonly unknown[]) => ({ kind: 'components', components: list }) as const
  await org.apply({ source: components([...ground, ...peopleSets]), actor: 'admin' })
  for (const [key, permissionSets] of Object.entries(people))
    await access.addUser(operator, { key, name: key, permissionSets: [...permissionSets] })
  return {
    apply: (list, actor = 'admin') => outcomeOf(org.apply({ source: components(list), actor })),
    rollback: (generation) => outcomeOf(org.rollback(generation, { actor: 'admin' })),
    create: (user, { components: list = [], removals = [], generation, ...more }) =>
      requestOf(async () => {
        const source =
          generation === undefined
            ? { ...components(list), removals: removals as ComponentId[] }
            : { kind: 'generation' as const, generation }
        return (await requests.create(by(user), { source, ...more })).request
      }),
    act: (user, action, id, body) =>
      requestOf(async () => {
        const input = {
          ...usualBody(action, await requests.get(by('admin'), id)),
          ...body,
        } as never
        const { reason, text, applyOn } = input as { reason: string; text: string; applyOn: string | null }
        switch (action) {
          case 'edit':
            return (await requests.edit(by(user), id, editOf(input))).request
          case 'approve':
            return requests.approve(by(user), id, input)
          case 'reject':
            return requests.reject(by(user), id, reason)
          case 'withdraw':
            return requests.withdraw(by(user), id, '')
          case 'comment':
            return requests.comment(by(user), id, text)
          case 'schedule':
            return requests.schedule(by(user), id, applyOn)
          case 'apply':
            return (await requests.apply(by(user), id, input)).request
        }
      }),
    look: async (user, id) => {
      const { changes, ...detail } = await requests.get(by(user), id)
      const views = Array.from(changes, (row) => ({
        id: row.change.id,
        ...redactChange(row),
        lacks: row.lacks.join(', ') || null,
      }))
      return { ...detail, changes: views }
    },
    list: async (user, states) =>
      (await requests.list(by(user), { states: states as never, limit: 50 })).requests,
    require: async (required) => void (await requests.setRequiredApprovals(operator, required)),
    assign: async (user, permissionSets) =>
      void (await access.changeUser(operator, user, { permissionSets: [...permissionSets] })),
    applyDue: async () => void (await requests.applyDue()),
    activeGeneration: async () => org.activeGeneration(),
    close: async () => {
      await org.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function editOf({ components, ...edit }: { components?: readonly unknown[] }): never {
  const source = components === undefined ? {} : { source: { kind: 'components', components } }
  return { ...edit, ...source } as never
}

async function requestOf(work: () => Promise<ChangeRequestSummary>): Promise<RequestOutcome> {
  try {
    return { ok: true, request: await work() }
  } catch (error) {
    return refusalOf(error)
  }
}

async function outcomeOf(applied: Promise<{ generation: number; findings: unknown }>): Promise<SpecOutcome> {
  try {
    const { generation, findings } = await applied
    return { ok: true, generation, findings: findings as never }
  } catch (error) {
    return refusalOf(error)
  }
}

function refusalOf(error: unknown): Refused {
  if (!(error instanceof AlmanacError)) throw error
  return { ok: false, code: error.code, message: error.message, details: [...error.details] }
}
