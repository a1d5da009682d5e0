import { mount } from 'svelte'
import './tokens.css'
import './base.css'
import App from './App.svelte'
import { pipTab } from './lib/shell'
import Pip from './Pip.svelte'

const target = document.getElementById('app')!
void pipTab().then((id) => (id ? mount(Pip, { target, props: { id } }) : mount(App, { target })))
