// Maps widgets to their components; a widget without one does not compile.
import type { Component } from 'vue'
import type { Widget } from '#kernel/components/form.ts'
import BusinessKeyWidget from './business-key-widget.vue'
import ChainWidget from './chain-widget.vue'
import DateWidget from './date-widget.vue'
import DocumentWidget from './document-widget.vue'
import EntryValuesWidget from './entry-values-widget.vue'
import ExpressionWidget from './expression-widget.vue'
import GrantsWidget from './grants-widget.vue'
import GridWidget from './grid-widget.vue'
import GroupWidget from './group-widget.vue'
import JsonWidget from './json-widget.vue'
import MapWidget from './map-widget.vue'
import MultilineWidget from './multiline-widget.vue'
import MultiselectWidget from './multiselect-widget.vue'
import NamesWidget from './names-widget.vue'
import NumberWidget from './number-widget.vue'
import ObjectFieldWidget from './object-field-widget.vue'
import PrincipalWidget from './principal-widget.vue'
import ReferenceWidget from './reference-widget.vue'
import ScopeWidget from './scope-widget.vue'
import SelectWidget from './select-widget.vue'
import SwitchWidget from './switch-widget.vue'
import TextWidget from './text-widget.vue'

export const widgets: Record<Widget, Component> = {
  text: TextWidget,
  multiline: MultilineWidget,
  number: NumberWidget,
  switch: SwitchWidget,
  select: SelectWidget,
  multiselect: MultiselectWidget,
  date: DateWidget,
  reference: ReferenceWidget,
  references: NamesWidget,
  principal: PrincipalWidget,
  expression: ExpressionWidget,
  chain: ChainWidget,
  scope: ScopeWidget,
  business_key: BusinessKeyWidget,
  entry_values: EntryValuesWidget,
  grants: GrantsWidget,
  object_field: ObjectFieldWidget,
  grid: GridWidget,
  group: GroupWidget,
  map: MapWidget,
  list: NamesWidget,
  json: JsonWidget,
  document: DocumentWidget,
}

/** Widgets that take the full width below their label. */
export const wide: readonly Widget[] = [
  'grid',
  'group',
  'map',
  'entry_values',
  'expression',
  'json',
  'document',
]
