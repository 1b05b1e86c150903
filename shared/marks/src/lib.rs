//! `#[derive(EndUserMembers)]`: the members of a request that end users may send, marked at their
//! fields (decision 47). The names are those of `#[serde(rename_all = "camelCase")]`.
//!
//! | Mark | End users may send |
//! |---|---|
//! | `#[end_user]` | the member |
//! | `#[end_user(one_of)]` | the member, and have to send one with this mark |
//! | `#[end_user(members)]` | the members that its own type marks |
//! | `#[end_user(without = "contact.email")]` | the member; what is at this path in it is ignored |
//! | `#[end_user(own = Id)]` | the member; the runtime sets it (`model::permissions::Own`) |

#![warn(missing_docs)]

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Data, DataStruct, DeriveInput, Error, Field, Fields, Ident, LitStr, Meta, Result,
    ext::IdentExt, parse_macro_input,
};

/// Implements `model::permissions::EndUserMembers`.
#[proc_macro_derive(EndUserMembers, attributes(end_user))]
pub fn end_user_members(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    implementation(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(DataStruct { fields: Fields::Named(fields), .. }) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only a struct has members"));
    };
    let mut members = Vec::new();
    for field in &fields.named {
        let mut marks = field.attrs.iter().filter(|it| it.path().is_ident("end_user"));
        if let Some(mark) = marks.next() {
            members.push(member(field, mark)?);
        }
        if let Some(second) = marks.next() {
            return Err(Error::new_spanned(second, "a member has one mark"));
        }
    }
    let name = &input.ident;
    Ok(quote! {
        impl ::model::permissions::EndUserMembers for #name {
            const MEMBERS: &'static [::model::permissions::Member] = &[#(#members),*];
        }
    })
}

fn member(field: &Field, mark: &Attribute) -> Result<TokenStream> {
    let name = name(field)?;
    let mut sends = quote!(::model::permissions::Sends::All);
    let mut is_one_of = false;
    if !matches!(mark.meta, Meta::Path(_)) {
        mark.parse_nested_meta(|meta| {
            if meta.path.is_ident("one_of") {
                is_one_of = true;
            } else if meta.path.is_ident("members") {
                let kind = &field.ty;
                let members = quote!(<#kind as ::model::permissions::EndUserMembers>::MEMBERS);
                sends = quote!(::model::permissions::Sends::Only(#members));
            } else if meta.path.is_ident("without") {
                let path: LitStr = meta.value()?.parse()?;
                sends = quote!(::model::permissions::Sends::Without(#path));
            } else if meta.path.is_ident("own") {
                let own: Ident = meta.value()?.parse()?;
                sends = quote! {
                    ::model::permissions::Sends::Own(::model::permissions::Own::#own)
                };
            } else {
                return Err(meta.error("must be one_of, members, without or own"));
            }
            Ok(())
        })?;
    }
    Ok(quote! {
        ::model::permissions::Member { name: #name, sends: #sends, is_one_of: #is_one_of }
    })
}

/// The name of a member on the wire.
fn name(field: &Field) -> Result<String> {
    let Some(ident) = &field.ident else {
        return Err(Error::new_spanned(field, "a member has a name"));
    };
    let mut name = camel(&ident.unraw().to_string());
    for attribute in field.attrs.iter().filter(|it| it.path().is_ident("serde")) {
        attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("flatten") {
                return Err(meta.error("a flattened member has no name that could be marked"));
            }
            if let Ok(value) = meta.value() {
                let value: LitStr = value.parse()?;
                if meta.path.is_ident("rename") {
                    name = value.value();
                }
            }
            Ok(())
        })?;
    }
    Ok(name)
}

/// `documentId` for `document_id`.
fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    camel
}
