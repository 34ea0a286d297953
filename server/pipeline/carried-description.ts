// The description that is part of a retrieve or a push: an address is carried by what was imported from it.
import { isDescriptionAddress } from '#kernel/components/external-service/source.ts'
import type { Component } from '#kernel/components/body-types.ts'
import type { OrgReader } from '../ports/org-store.ts'
import { descriptionFileText } from './directory-layout.ts'

/** The text of its file; null for a component that contains its description, or has none. */
export function carriedDescription(
  reader: Pick<OrgReader, 'descriptions'>,
  component: Component,
): string | null {
  if (component.type !== 'external_service') return null
  const { source, hash } = component.body.spec
  if (hash === undefined || !isDescriptionAddress(source)) return null
  const bundle = reader.descriptions.bundleText(hash)
  return bundle === undefined ? null : descriptionFileText(bundle)
}
