// Plan and apply of component files: our command line against Terraform's, on the same number of terraform_data
// resources.
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openOrg } from '../../../server/compose/open-org.ts'
import { almanac } from '../support/almanac.ts'
import { compare, roundsOf, type Side, type Timing } from '../support/compare.ts'
import { newOrg, requestOf, set, writeComponents } from '../support/large-org.ts'
import { duration, times, type Line, type Part, type PartContext } from '../support/part.ts'
import { entryOf, invoice, tariff, tariffEntries, tariffSet, type TariffKey } from '../support/tariff.ts'
import { Terraform, terraformVersion } from '../support/terraform.ts'

const rangesOfKey = 5

/** How many times faster than Terraform, by number of components. */
const aims = { 1000: { plan: 3, apply: 20 }, 10_000: { plan: 10, apply: 100 } } as const

type Size = keyof typeof aims

export const terraformPart: Part = {
  name: 'terraform',
  title: 'Plan and apply, command line against command line',
  async run(context) {
    const version = await terraformVersion()
    if (version === null)
      return { lines: [], notes: ['Not measured: `terraform` is not on the PATH of this machine.'] }
    const lines = [
      ...(await newComponents(context, 1000, version)),
      ...(await newComponents(context, 10_000, version)),
      ...(await amongMany(context, 10_000, version)),
    ]
    return {
      lines,
      notes: [
        'Each side is a process from start to exit: `almanac diff` and `almanac apply` with `--json` on a directory of entry files, `terraform plan` and `terraform apply -auto-approve` on `terraform_data` resources with the same content, local state, no provider to download. The reported plan and result of each side are checked.',
        'An apply of 10,000 new resources by Terraform runs once. It is stopped when it has taken 1.2 times as long as the aim allows, and the figure is then "more than" that time.',
        'For existing resources, a Terraform state file is written, and Terraform itself confirms that it matches ("No changes").',
      ],
    }
  },
}

/** One workload on both sides: a directory and an org, a directory and a state. */
class Bed {
  readonly size: Size
  readonly keys: TariffKey[]
  readonly components: string
  readonly home: string
  readonly terraform: Terraform
  readonly #blank: string

  constructor({ folder }: PartContext, size: Size, name: string) {
    this.size = size
    this.keys = tariff(size / rangesOfKey, rangesOfKey, false)
    this.components = join(folder, `components-${size}-${name}`)
    this.home = join(folder, `org-${size}-${name}`)
    this.#blank = join(folder, `blank-${size}-${name}`)
    this.terraform = new Terraform(join(folder, `terraform-${size}-${name}`))
    writeComponents(this.components, tariffEntries(set, this.keys))
    this.terraform.writeResources(this.keys)
  }

  /** An org that has the set and none of its entries, used as a template. */
  async prepareOrg(): Promise<void> {
    const org = newOrg(this.#blank)
    await org.apply(requestOf([invoice, tariffSet(set, ['environment', 'org'])]))
    await org.close()
  }

  emptyOrg(): void {
    rmSync(this.home, { recursive: true, force: true })
    cpSync(this.#blank, this.home, { recursive: true })
  }

  async entriesInOrg(): Promise<number> {
    const org = openOrg(this.home)
    const count = org.pin().view.count('config_entry')
    await org.close()
    return count
  }

  /** The value of one entry, in both directories. */
  changeOne(turn: number): void {
    const [first, ...others] = this.keys
    const rows = first!.rows.map((row, at) => (at === 0 ? { ...row, value: `${turn}.25` } : row))
    writeComponents(this.components, [entryOf(set, first!.key, rows[0]!)])
    this.terraform.writeResources([{ ...first!, rows }, ...others])
  }

  diff(): Promise<string> {
    return almanac(['diff', this.components, '--org', this.home, '--json'], null).then(({ stdout }) => stdout)
  }

  apply(): Promise<string> {
    return almanac(['apply', this.components, '--org', this.home, '--json']).then(({ stdout }) => stdout)
  }
}

async function newComponents(context: PartContext, size: Size, version: string): Promise<Line[]> {
  const bed = new Bed(context, size, 'new')
  await bed.prepareOrg()
  await bed.terraform.init()
  const work = `${size.toLocaleString('en')} components, all new`
  context.say(`plan of ${work}`)
  bed.emptyOrg()
  const planned = await compare([planOfOurs(bed, size), planOfTheirs(bed, size)], { warm: 1 })
  context.say(`apply of ${work}`)
  const applied =
    size === 1000 ? await compare([applyOfOurs(bed), applyOfTheirs(bed)], { warm: 0 }) : await applyOnce(bed)
  const { plan, apply } = aims[size]
  return [versus('plan', work, planned, version, plan), versus('apply', work, applied, version, apply)]
}

/** One change among many existing entries, and no change. */
async function amongMany(context: PartContext, size: Size, version: string): Promise<Line[]> {
  const bed = new Bed(context, size, 'there')
  await bed.prepareOrg()
  await bed.terraform.init()
  bed.emptyOrg()
  await bed.apply()
  bed.terraform.writeState(bed.keys)
  const { plan } = aims[size]
  const none = `none of ${size.toLocaleString('en')} components changed`
  context.say(`plan where ${none}`)
  const unchanged = await compare([planOfOurs(bed, 0), planOfTheirs(bed, 0)], { warm: 1 })
  const work = `one of ${size.toLocaleString('en')} components changed`
  context.say(`plan and apply where ${work}`)
  let turn = 0
  const change = (): void => bed.changeOne(++turn)
  change()
  const planned = await compare([planOfOurs(bed, 1), planOfTheirs(bed, 1)], { warm: 1 })
  const [ours, theirs] = [applyOfOurs(bed, 1), applyOfTheirs(bed, 1)]
  const applied = await compare(
    [
      { ...ours, before: change },
      { ...theirs, before: undefined },
    ],
    { warm: 1 },
  )
  return [
    versus('plan', none, unchanged, version, plan),
    versus('plan', work, planned, version, plan),
    versus('apply', work, applied, version, plan),
  ]
}

function planOfOurs(bed: Bed, expected: number): Side {
  let out = ''
  return {
    name: 'almanac diff',
    run: async () => void (out = await bed.diff()),
    check: () => {
      const { changes } = JSON.parse(out) as { changes: unknown[] }
      if (changes.length !== expected)
        throw new Error(`almanac diff names ${changes.length} changes, not ${expected}.`)
    },
  }
}

function planOfTheirs(bed: Bed, expected: number): Side {
  let changeCount = -1
  return {
    name: 'terraform plan',
    run: async () => void (changeCount = await bed.terraform.plan()),
    check: () => {
      if (changeCount !== expected)
        throw new Error(`terraform plan names ${changeCount} changes, not ${expected}.`)
    },
  }
}

function applyOfOurs(bed: Bed, expected = bed.size as number): Side {
  let out = ''
  return {
    name: 'almanac apply',
    before: () => bed.emptyOrg(),
    run: async () => void (out = await bed.apply()),
    check: async () => {
      const { changes } = JSON.parse(out) as { changes: unknown[] }
      if (changes.length !== expected)
        throw new Error(`almanac applied ${changes.length} changes, not ${expected}.`)
      const entries = await bed.entriesInOrg()
      if (entries !== bed.size) throw new Error(`After almanac apply there are ${entries} entries.`)
    },
  }
}

function applyOfTheirs(bed: Bed, expected = bed.size as number): Side {
  let changeCount = -1
  return {
    name: 'terraform apply',
    before: () => bed.terraform.forget(),
    run: async () => void (changeCount = await bed.terraform.apply()),
    check: () => {
      if (changeCount !== expected)
        throw new Error(`terraform applied ${changeCount} changes, not ${expected}.`)
    },
  }
}

/** Ours as often as usual; Terraform once, if it is much slower. */
async function applyOnce(bed: Bed): Promise<Timing[]> {
  const [ours] = await compare([applyOfOurs(bed)], { warm: 1 })
  bed.terraform.forget()
  const limit = ours!.ms * aims[bed.size].apply * (roundsOf(7) < 7 ? 0.02 : 1.2)
  const { ms, stopped } = await bed.terraform.applyWithin(limit)
  return [ours!, { name: stopped ? 'stopped' : 'terraform apply', ms, fastest: ms, slowest: ms, rounds: 1 }]
}

function versus(what: string, work: string, timings: readonly Timing[], version: string, aim: number): Line {
  const [ours, theirs] = timings as [Timing, Timing]
  const more = theirs.name === 'stopped' ? 'more than ' : ''
  const ratio = theirs.ms / ours.ms
  return {
    what,
    work,
    ours: duration(ours.ms),
    against: `Terraform ${version} ${more}${duration(theirs.ms)}`,
    ratio: `${more}${times(ratio)} faster`,
    aim: `${aim}× faster`,
    met: ratio >= aim,
  }
}
