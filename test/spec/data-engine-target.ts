// The engines in this process, over an org in a folder.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'
import { effectiveAccess, scopePathOf } from '../../server/access/index.ts'
import { enginesOf } from '../../server/compose/engines.ts'
import { initOrg } from '../../server/compose/open-org.ts'
import type { CallerOf, CommandItem } from '../../server/records/index.ts'
import { dataGround, dataUsers, laterGround } from './data-ground.ts'
import { done, type As, type Body, type DataOrg, type DataTarget, type Given } from './data-target.ts'

export const dataEngineTarget: DataTarget = { name: 'the engines', start }

async function start(): Promise<DataOrg> {
  const folder = mkdtempSync(join(tmpdir(), 'almanac-data-'))
  const org = initOrg(folder, { name: 'Spec', environment: 'test' })
  const { access, evaluation, records } = enginesOf(org)
  const operator = { actor: 'admin', correlationId: 'spec', isOperator: true }
  const by = ({ user }: As) => ({ actor: user, correlationId: 'spec' })
  const callerOf = ({ user, in: app }: As): CallerOf => {
    const { view, generation } = org.pin()
    return org.store.read((reader) => {
      const own = effectiveAccess(reader, user, view)
      return {
        access: own,
        generation,
        scopePath: scopePathOf(reader, own, app === undefined ? {} : { app }),
      }
    })
  }
  const apply: DataOrg['apply'] = (components, removals = []) =>
    given(async () => {
      const source = { kind: 'components', components, removals } as never
      return { generation: (await org.apply({ source, actor: 'admin' })).generation }
    })
  const save = async (
    as: As,
    items: CommandItem[],
    terms: { allOrNone: boolean; reply: 'records' | 'ids' },
  ) => {
    const { generation, scopePath } = callerOf(as)
    const command = { generation, scopePath, user: as.user, correlationId: 'spec', items, ...terms }
    return (await records.save(command)).results
  }
  done(await apply(dataGround))
  for (const [key, permissionSets] of Object.entries(dataUsers))
    await access.addUser(operator, { key, name: key, permissionSets: [...permissionSets] })
  done(await apply(laterGround))
  return {
    name: 'engine',
    apply,
    resolve: (as, question) =>
      given(async () => evaluation.resolve(by(as), { scope: callerOf(as).scopePath, ...question } as never)),
    evaluate: (as, question) =>
      given(() => evaluation.evaluate(by(as), { scope: callerOf(as).scopePath, ...question } as never)),
    save: (as, object, { fields = {}, ...item }) =>
      given(async () => {
        const [result] = await save(as, [{ ...item, object, fields } as CommandItem], {
          allOrNone: false,
          reply: 'records',
        })
        if (!result!.ok) throw new AlmanacError(result!.error.code, result!.error.message)
        return result!.record ?? { id: result!.id }
      }),
    batch: (as, object, items, allOrNone = false) =>
      given(async () => {
        const sent = items.map((item) => ({ fields: {}, ...item, object }) as CommandItem)
        const results = await save(as, sent, { allOrNone, reply: 'ids' })
        return { results: results.map((each) => (each.ok ? each.op : each.error.code)) }
      }),
    get: (as, object, id, fields) => given(async () => records.get(callerOf(as), object, id, fields)),
    query: (as, { orderBy = [], ...query }) =>
      given(() =>
        records.query(callerOf(as), {
          ...{ limit: 50, ...query },
          orderBy: orderBy.map(({ field, dir = 'asc' }) => ({ field, dir })),
        }),
      ),
    objects: (as) => given(async () => ({ objects: records.list(callerOf(as)) })),
    call: (as, operation, { params, asOf = null }) =>
      given(() => {
        const { generation, scopePath } = callerOf(as)
        const caller = { generation, scopePath, user: as.user, correlationId: 'spec' }
        return records.call({ operation, params: params as Record<string, unknown>, asOf, ...caller })
      }),
    activeGeneration: async () => org.activeGeneration(),
    send: () => Promise.reject(new Error('The engines have no requests.')),
    close: async () => {
      await org.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function given(work: () => Promise<object>): Promise<Given> {
  try {
    return (await work()) as Body
  } catch (error) {
    if (!(error instanceof AlmanacError)) throw error
    return { refused: error.code, message: error.message, details: [...error.details] }
  }
}
