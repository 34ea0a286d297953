// A change list with the hashes of the descriptions that were imported for it.
import type { Component } from '#kernel/components/body-types.ts'
import type { LoadedChanges } from './change-source.ts'
import type { ServiceImports } from './request.ts'

export function withImports(changes: LoadedChanges, imports: ServiceImports | undefined): LoadedChanges {
  if (imports === undefined) return changes
  return {
    ...changes,
    components: changes.components.map(({ component, ...rest }) => ({
      ...rest,
      component: withHash(component, imports.hashes),
    })),
    findings: [...changes.findings, ...imports.findings],
  }
}

function withHash(component: Component, hashes: ServiceImports['hashes']): Component {
  if (component.type !== 'external_service' || !Object.hasOwn(hashes, component.key)) return component
  const spec = { ...component.body.spec, hash: hashes[component.key]! }
  return { ...component, body: { ...component.body, spec } }
}
