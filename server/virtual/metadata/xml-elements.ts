// Reads XML as a tree of elements. DTDs are refused, so no entity can be defined; size and depth are limited.
import { SaxesParser } from 'saxes'
import { AlmanacError } from '#kernel/errors/almanac-error.ts'

export interface XmlElement {
  /** Without its prefix. */
  name: string
  namespace: string
  /** Without those of a namespace. */
  attributes: Readonly<Record<string, string>>
  children: XmlElement[]
}

export const metadataLimits = { characters: 16_777_216, elements: 200_000, depth: 64 } as const

/** @throws AlmanacError `virtual.metadata` */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const root: XmlElement = { name: '', namespace: '', attributes: {}, children: [] }
  const open: XmlElement[] = [root]
  let elements = 0
  parser.on('error', (error) => {
    throw refused(`is not well-formed XML: ${error.message.slice(0, 200).replace(/\.$/, '')}`)
  })
  parser.on('doctype', () => {
    throw refused('has a DOCTYPE, which is not accepted: a DTD can define entities. Remove it')
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (++elements > metadataLimits.elements)
      throw refused(`has more than ${metadataLimits.elements} elements`)
    if (open.length > metadataLimits.depth)
      throw refused(`nests elements more than ${metadataLimits.depth} levels deep, at ${local}`)
    const plain = Object.values(attributes).filter(({ prefix }) => prefix === '')
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(plain.map((attribute) => [attribute.local, attribute.value])),
      children: [],
    }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(text).close()
  return root.children[0]!
}

export const refused = (reason: string): AlmanacError =>
  new AlmanacError('virtual.metadata', `The metadata ${reason}.`)
