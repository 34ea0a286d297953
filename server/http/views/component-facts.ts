// The facts of a component's row in a list.
import type { Component } from '#kernel/components/body-types.ts'
import { daysLeft } from '#kernel/components/feature-flag/lifetime.ts'
import type { ComponentFacts } from '#wire/index.ts'
import type { Visibility } from '../../access/index.ts'
import { entryCountOf, type Snapshot } from '../../pipeline/index.ts'

/** Returns what a list shows next to the label of a component; undefined if there is nothing more. */
export function rowFacts(
  component: Component,
  snapshot: Snapshot,
  visibility: Visibility,
  today: string,
): ComponentFacts | undefined {
  switch (component.type) {
    case 'config_entry': {
      const { set, key, scope, effectiveFrom, effectiveTo, values, priority } = component.body
      return {
        set,
        key: key ?? null,
        scope,
        priority,
        effectiveFrom: effectiveFrom ?? null,
        effectiveTo: effectiveTo ?? null,
        values,
      }
    }
    case 'feature_flag': {
      const remainingDays = daysLeft(component.body.expiresOn, today)
      return {
        owner: component.body.owner,
        expiresOn: component.body.expiresOn,
        daysLeft: remainingDays,
        frozen: remainingDays < 0,
      }
    }
    case 'config_set':
      return { entries: entryCountOf(snapshot, visibility, `config_set/${component.key}`) }
    default:
      return undefined
  }
}
