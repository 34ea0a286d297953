// The kernel alone: components in memory, candidate, validation. Users, plans and generations belong to the engine.
import { buildCandidate, validateCandidate } from '#kernel/change/index.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { ComponentId } from '#kernel/components/component.ts'
import type { PrincipalDirectory } from '#kernel/components/define.ts'
import { MemoryView } from '#kernel/components/memory-view.ts'
import { parseComponent } from '#kernel/components/parse.ts'
import { parseCivilDate } from '#kernel/dates/civil-date.ts'
import { hasErrors } from '#kernel/errors/finding.ts'
import type { SpecOrg, SpecOutcome, SpecRequest, SpecTarget } from './target.ts'

export const kernelTarget: SpecTarget = {
  name: 'the kernel',
  reach: 'kernel',
  start: async () => new KernelOrg(),
}

const administrator = {
  type: 'permission_set',
  key: 'administrator',
  label: 'Administrator',
  body: { systemPermissions: ['metadata.author', 'config.author', 'access.manage'] },
}

class KernelOrg implements SpecOrg {
  #view = new MemoryView([parseComponent(administrator).component!])
  readonly #users = new Set(['admin'])
  #generation = 1

  async apply({ components = [], removals = [], rationale = '' }: SpecRequest): Promise<SpecOutcome> {
    const parsed = components.map((json) => parseComponent(json))
    const given = parsed.flatMap(({ component, hints }) => (component === null ? [] : [{ component, hints }]))
    const candidate = buildCandidate(this.#view, { components: given, removals: removals as ComponentId[] })
    const today = parseCivilDate('2026-06-15')!
    const judged = validateCandidate(candidate, this.#view, {
      today,
      principals: this.#directory(),
      rationale,
    })
    const findings = [...parsed.flatMap((each) => each.findings), ...judged.findings]
    if (hasErrors(findings)) return { ok: false, code: 'deploy.invalid', message: '', details: findings }
    this.#view = new MemoryView(candidate.view.all() as Iterable<Component>)
    this.#generation += 1
    return { ok: true, generation: this.#generation, findings }
  }

  async plan(): Promise<string> {
    throw new Error('The kernel alone has no generations to bind a plan to.')
  }

  async addUser(key: string): Promise<void> {
    this.#users.add(key)
  }

  async activeGeneration(): Promise<number> {
    return this.#generation
  }

  async close(): Promise<void> {}

  #directory(): PrincipalDirectory {
    return {
      user: (key) => (this.#users.has(key) ? 'live' : undefined),
      group: () => undefined,
      userKeys: () => [...this.#users],
      groupKeys: () => [],
    }
  }
}
