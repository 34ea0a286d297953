// Terraform on terraform_data resources: one resource per entry, local state, nothing to download.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { timedProcess, type ProcessRun } from './almanac.ts'
import type { TariffKey } from './tariff.ts'

const env = { TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1', TF_CLI_CONFIG_FILE: '/dev/null' }

/** `1.11.4`, or null if terraform is not on the PATH. */
export async function terraformVersion(): Promise<string | null> {
  try {
    const { stdout } = await timedProcess('terraform', ['version', '-json'], { env })
    return (JSON.parse(stdout) as { terraform_version: string }).terraform_version
  } catch {
    return null
  }
}

export class Terraform {
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
    mkdirSync(dir, { recursive: true })
  }

  /** One file of resources per key, as a user would organise them. */
  writeResources(keys: readonly TariffKey[]): void {
    for (const { key, rows } of keys) {
      const resources = rows.map((row) => {
        const input = Object.entries(inputOf(key, row)).map(
          ([name, value]) => `    ${name} = ${JSON.stringify(value)}`,
        )
        return `resource "terraform_data" "${nameOf(key, row)}" {\n  input = {\n${input.join('\n')}\n  }\n}\n`
      })
      writeFileSync(join(this.#dir, `${key}.tf`), resources.join('\n'))
    }
  }

  /** A state in which every resource exists already. */
  writeState(keys: readonly TariffKey[]): void {
    const resources = keys.flatMap(({ key, rows }) => rows.map((row) => stateOf(key, row)))
    const lineage = '00000000-0000-4000-8000-000000000001'
    const state = {
      version: 4,
      terraform_version: '1.11.4',
      serial: 1,
      lineage,
      outputs: {},
      resources,
      check_results: null,
    }
    writeFileSync(join(this.#dir, 'terraform.tfstate'), JSON.stringify(state))
  }

  forget(): void {
    for (const name of ['terraform.tfstate', 'terraform.tfstate.backup', '.terraform.tfstate.lock.info'])
      rmSync(join(this.#dir, name), { force: true })
  }

  async init(): Promise<void> {
    await this.#run(['init', '-input=false'])
  }

  /** How many resources it would add, change or destroy. */
  async plan(): Promise<number> {
    const { stdout } = await this.#run(['plan', '-input=false', '-no-color'])
    if (stdout.includes('No changes.')) return 0
    return counted(stdout, /^Plan: (\d+) to add, (\d+) to change, (\d+) to destroy\./m)
  }

  /** How many it added, changed or destroyed. */
  async apply(): Promise<number> {
    const { stdout } = await this.#run(['apply', '-auto-approve', '-input=false', '-no-color'])
    return counted(stdout, /Resources: (\d+) added, (\d+) changed, (\d+) destroyed\./)
  }

  applyWithin(limit: number): Promise<ProcessRun> {
    return this.#run(['apply', '-auto-approve', '-input=false', '-no-color'], limit)
  }

  #run(args: string[], limit?: number): Promise<ProcessRun> {
    return timedProcess('terraform', args, { cwd: this.#dir, env, limit })
  }
}

type TariffRow = TariffKey['rows'][number]

function nameOf(key: string, { env: environment, from }: TariffRow): string {
  return `${key}_${environment ?? 'org'}_${from}`
}

function inputOf(key: string, { env: environment, from, to, value }: TariffRow): Record<string, string> {
  return {
    set: 'tariff',
    key,
    scope: environment ?? 'org',
    from: String(from),
    to: String(to ?? ''),
    rate: value,
  }
}

function stateOf(key: string, row: TariffRow): object {
  const value = inputOf(key, row)
  const dynamic = {
    value,
    type: ['object', Object.fromEntries(Object.keys(value).map((name) => [name, 'string']))],
  }
  const attributes = { id: nameOf(key, row), input: dynamic, output: dynamic, triggers_replace: null }
  return {
    mode: 'managed',
    type: 'terraform_data',
    name: nameOf(key, row),
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [] }],
  }
}

function counted(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)
  if (found === null) throw new Error(`Terraform did not report what it did: ${text.slice(-500)}`)
  return found.slice(1).reduce((sum, each) => sum + Number(each), 0)
}
