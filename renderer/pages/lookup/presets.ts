// Typical states of the field, each as its difference from a plain field of the source.
import type { Inputs } from './shown-field.ts'

export interface Preset {
  id: string
  label: string
  /** What is set in addition to the plain field; `linked` points it at a record of the source. */
  inputs: Inputs
  linked?: 'link' | 'trigger'
  /** Shown among the states of the page. */
  drawn?: true
}

export const presets: readonly Preset[] = [
  { id: 'read', label: 'Read, with a link', inputs: {}, linked: 'link' },
  { id: 'trigger', label: 'Read, no URL', inputs: {}, linked: 'trigger' },
  { id: 'nothing', label: 'Read, nothing linked', inputs: { placeholder: 'Not chosen yet' } },
  { id: 'edit', label: 'Edit', inputs: { mode: 'edit' }, linked: 'link' },
  { id: 'required', label: 'Required, empty', inputs: { mode: 'edit', required: true }, drawn: true },
  {
    id: 'invalid',
    label: 'Invalid',
    inputs: { mode: 'edit', invalid: true, message: 'It is not active any more. Pick another.' },
    linked: 'trigger',
    drawn: true,
  },
  {
    id: 'help',
    label: 'With help',
    inputs: { mode: 'edit', placeholder: 'Any', message: 'Leave it empty to mean all.' },
    drawn: true,
  },
  {
    id: 'disabled',
    label: 'Disabled',
    inputs: { mode: 'edit', disabled: true },
    linked: 'trigger',
    drawn: true,
  },
  { id: 'inline', label: 'Inline', inputs: { mode: 'edit', inline: true }, linked: 'link' },
  { id: 'min', label: 'From three letters', inputs: { mode: 'edit', minChars: 3, searchDelay: 300 } },
]

export const firstPreset = presets.find(({ id }) => id === 'edit')!
