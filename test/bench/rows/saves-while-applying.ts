// Saves that arrive at a fixed rate, before and while another process applies 100,000 entries to the same org.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { enginesOf } from '../../../server/compose/engines.ts'
import { initOrg, openOrg, type OpenedOrg } from '../../../server/compose/open-org.ts'
import { almanac } from '../support/almanac.ts'
import { largeOrg, writeComponents } from '../support/large-org.ts'
import { invoiceComponents } from '../support/invoice-org.ts'
import { duration, type Line, type Part, type PartContext } from '../support/part.ts'

const perSecond = 500
const bounds = { p99: 100, worst: 250 }

export const savesWhileApplyingPart: Part = {
  name: 'saves-while-applying',
  title: 'Saves while 100,000 entries are applied',
  async run(context) {
    const dir = join(context.folder, 'components')
    // The invoice of the large org has other fields.
    writeComponents(
      dir,
      largeOrg().components.filter((each) => (each as { type: string }).type !== 'object'),
    )
    const folder = join(context.folder, 'org')
    await initOrg(folder, { name: 'Bench', environment: 'dev' }).close()
    const org = openOrg(folder, { worker: true })
    try {
      await org.apply({
        source: { kind: 'components', components: invoiceComponents },
        actor: 'admin',
        rationale: 'Measured.',
      })
      const by = { actor: 'admin', correlationId: 'c', isOperator: true }
      await enginesOf(org).access.addUser(by, { key: 'clerk', name: 'Clerk', permissionSets: ['clerk'] })
      // Starts the worker: the saves of one user do not wait in any number.
      await saveInvoice(org, -1)
      await savedAtRate(org, () => wait(2000))
      const alone = await measured(context, org, 'alone', () => wait(5000))
      const during = await measured(context, org, 'while 100,000 entries are applied', async () => {
        await almanac(['apply', dir, '--org', folder, '--rationale', 'Measured.'])
        // Readers and saves take over the new generation.
        await wait(1000)
      })
      return { lines: [...alone, ...during], notes }
    } finally {
      await org.close()
    }
  },
}

const notes = [
  'One save arrives every 2 ms, whether or not earlier ones are finished; it waits from its arrival until it is on the disk. The engine saves in a worker for records, as in a server; the apply is the command line, in another process, on the same org and the same two cores.',
]

async function measured(
  { say }: PartContext,
  org: OpenedOrg,
  when: string,
  meanwhile: () => Promise<unknown>,
): Promise<Line[]> {
  say(`saves ${when}`)
  const waits = (await savedAtRate(org, meanwhile)).toSorted((a, b) => a - b)
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!
  const work = `${perSecond} a second, ${when}; ${waits.length.toLocaleString('en')} saves`
  const line = (what: string, ms: number, most: number): Line => ({
    ...{ what, work, ours: duration(ms), against: '', ratio: '' },
    ...{ aim: `≤ ${most} ms`, met: ms <= most },
  })
  return [line('a save waits (p99)', at(0.99), bounds.p99), line('a save waits (worst)', at(1), bounds.worst)]
}

async function saveInvoice(org: OpenedOrg, index: number): Promise<void> {
  const net = String(Math.abs(index) % 1000)
  const fields = { number: `I-${index}`, country: 'DE', tax_point: '2022-01-01', net }
  const { reply } = await org.records.save({
    ...{ generation: org.activeGeneration(), user: 'clerk', correlationId: 'c', scopePath: {} },
    ...{ items: [{ op: 'insert', object: 'invoice', fields }], allOrNone: true, reply: 'ids' },
  })
  if (JSON.stringify(reply).includes('"ok":false')) throw new Error(`Refused: ${JSON.stringify(reply)}`)
}

/** Returns how long each save waited, in milliseconds from when it arrived. */
async function savedAtRate(org: OpenedOrg, meanwhile: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  const started = performance.now()
  let arrived = 0
  let isOver = false
  const pending: Promise<void>[] = []
  const save = async (due: number, index: number): Promise<void> => {
    await saveInvoice(org, index)
    waits.push(performance.now() - due)
  }
  const arrivals = (async () => {
    while (!isOver) {
      const due = Math.floor(((performance.now() - started) / 1000) * perSecond)
      for (; arrived < due; arrived += 1) pending.push(save(started + (arrived / perSecond) * 1000, arrived))
      await wait(1)
    }
  })()
  try {
    await meanwhile()
  } finally {
    isOver = true
    await arrivals
  }
  await Promise.all(pending)
  return waits
}
