// The attributes that the props of <LookupField> become. React 18 writes false into an attribute of a custom element as text,
// so the attribute is set.

const ownFlags = ['required', 'disabled', 'invalid', 'inline']
const globalFlags = ['hidden', 'inert', 'autoFocus']
const renamed = {
  className: 'class',
  matchFields: 'match-fields',
  displayFields: 'display-fields',
  minChars: 'min-chars',
  searchDelay: 'search-delay',
}

export function attributesOf(props) {
  const attributes = {}
  for (const [name, value] of Object.entries(props)) {
    const given = attributeOf(name, value)
    if (given !== null && given !== undefined)
      attributes[renamed[name] ?? name] = Array.isArray(given) ? given.join(',') : given
  }
  return attributes
}

function attributeOf(name, value) {
  if (ownFlags.includes(name)) return value ? '' : undefined
  // React 19 sets these as properties, where an empty text is false.
  return globalFlags.includes(name) ? value || undefined : value
}
