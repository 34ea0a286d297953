// Component files of the sets of the leak matrix: one text field, hidden from every user but the administrator.
export const administrators = { read: { administrator: 'read' }, edit: { administrator: 'edit' } }

/** @param grants permission set → `read` or `edit`, in addition to those of the administrator */
export function fileDefinition(key: string, label: string, grants: Record<string, string> = {}): object {
  const { read, edit } = administrators
  const of = (right: string): Record<string, string> =>
    Object.fromEntries(Object.entries(grants).filter(([, each]) => each === right))
  return {
    type: 'config_set',
    key,
    label,
    body: {
      cardinality: 'singleton',
      fields: [{ key: 'words', type: 'text', required: true }],
      read: { ...read, ...of('read') },
      edit: { ...edit, ...of('edit') },
    },
  }
}

export function fileValue(key: string, of: string, label: string, words: string): object {
  return {
    type: 'config_entry',
    key,
    label,
    body: { set: of, scope: { kind: 'org' }, values: { words } },
  }
}

/** Makes entries like `fileValue`; `more` is added to hidden values to make them longer. */
export function fileValues(more: string): typeof fileValue {
  return (key, of, label, words) =>
    fileValue(key, of, label, words.endsWith('_marker') ? `${words}${more}` : words)
}
