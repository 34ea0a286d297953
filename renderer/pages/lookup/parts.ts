// The parts of the element: what each of them is, and when it is drawn.

export const parts = [
  { name: 'label', about: 'The name of the field, with the asterisk.', when: 'a label is given' },
  { name: 'link', about: 'The name of the record, in read mode.', when: 'mode is read' },
  { name: 'combo', about: 'The box of edit mode.', when: 'mode is edit' },
  { name: 'icon', about: 'The magnifying glass at its start.', when: 'mode is edit' },
  { name: 'input', about: 'What is typed.', when: 'mode is edit' },
  { name: 'clear', about: 'Removes the record.', when: 'there is something to clear' },
  { name: 'listbox', about: 'The results.', when: 'the list is open' },
  { name: 'option', about: 'One of the results.', when: 'the list is open' },
  { name: 'message', about: 'The line below.', when: 'a message is given' },
] as const

export type PartName = (typeof parts)[number]['name']
