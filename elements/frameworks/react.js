'use client'
// <LookupField>: the element as a React component, from React 18 on, rendered by the server and hydrated. React itself
// sets no properties on a custom element when it hydrates, and older versions write every property as text, so this
// component sets them.
import {
  createElement,
  forwardRef,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
} from 'react'
import '../dist/index.js'
import { attributesOf } from './react-attributes.js'

// A server has no layout, and React 18 warns about it.
const useElementEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

export const LookupField = forwardRef(function LookupField(
  { search, onChange, onClear, onError, ...props },
  forwarded,
) {
  const field = useRef(null)
  const handlers = useRef({})
  const [, settle] = useReducer((count) => count + 1, 0)
  handlers.current = { onChange, onClear, onError }
  useImperativeHandle(forwarded, () => field.current)

  useElementEffect(() => {
    const element = field.current
    const heard = {
      'svc-lookup-change': (event) => handlers.current.onChange?.(event.detail, event),
      'svc-lookup-clear': (event) => handlers.current.onClear?.(event),
      'svc-lookup-error': (event) => handlers.current.onError?.(event.detail.error, event),
    }
    const listener = (event) => {
      if (event.target !== element) return
      heard[event.type](event)
      // What the page does not accept is reverted.
      settle()
    }
    for (const name of Object.keys(heard)) element.addEventListener(name, listener)
    return () => {
      for (const name of Object.keys(heard)) element.removeEventListener(name, listener)
    }
  }, [])

  useElementEffect(() => {
    field.current.search = search ?? null
  }, [search])

  // In the same turn, because a different value drops the name and the URL of the previous one. What the page omits
  // is left to the element: the name and the URL that came with the choice or from the source.
  useElementEffect(() => {
    const { value, display, href } = props
    if (value === undefined) return
    field.current.value = value
    for (const [name, given] of Object.entries({ display, href }))
      if (given !== undefined && given !== null) field.current.setAttribute(name, given)
  })

  return createElement('svc-lookup-field', { ...attributesOf(props), ref: field })
})
