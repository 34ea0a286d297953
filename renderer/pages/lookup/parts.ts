// The parts of the element: what each of them is, and when it is drawn.

export const parts = [
  { name: 'label', about: 'The name of the field, with the asterisk.', when: 'a label is given' },
  { name: 'link', about: 'The name of the record, in read mode.', when: 'mode is read' },
  { name: 'combo', about: 'The box in edit mode.', when: 'mode is edit' },
  { name: 'icon', about: 'The magnifying glass at the start.', when: 'mode is edit' },
  { name: 'input', about: 'The typed text.', when: 'mode is edit' },
  { name: 'clear', about: 'Clears the record.', when: 'there is something to clear' },
  { name: 'listbox', about: 'The results.', when: 'the list is open' },
  { name: 'option', about: 'One of the results.', when: 'the list is open' },
  { name: 'message', about: 'The line below the field.', when: 'a message is given' },
] as const

export type PartName = (typeof parts)[number]['name']
