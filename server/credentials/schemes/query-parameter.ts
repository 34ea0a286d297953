// Sets one parameter in the query of a URL and leaves every other byte as it is.

/** Replaces all parameters of this name. A fragment is removed: it is never sent. */
export function setQueryParameter(url: string, name: string, value: string): string {
  const [whole = ''] = url.split('#', 1)
  const mark = whole.indexOf('?')
  const path = mark === -1 ? whole : whole.slice(0, mark)
  const pairs = mark === -1 ? [] : whole.slice(mark + 1).split('&')
  const others = pairs.filter((pair) => pair !== '' && nameOf(pair) !== name)
  return `${path}?${[...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')}`
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=', 1)
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return name
  }
}
