use crate::support::{Says, Setup};

#[tokio::test(start_paused = true)]
async fn groceries() {
    let run = Setup::new("Order the weekly groceries and pay").says([Says::Yes]).run().await;
    println!("{}", run.transcript());
    println!("{}", run.message());
    println!("{:#}", run.state("/greenleaf"));
}

#[tokio::test(start_paused = true)]
async fn message() {
    let run = Setup::new("Text Dana that I’m running 10 minutes late and offer to bring her a coffee").says([Says::Yes]).run().await;
    println!("{}", run.transcript());
    println!("{}", run.message());
}

#[tokio::test(start_paused = true)]
async fn bank() {
    let run = Setup::new("Sign in to Northbank").says([Says::Types("000000"), Says::Code]).run().await;
    println!("{}", run.transcript());
    println!("{}", run.message());
}
#[tokio::test(start_paused = true)]
async fn updates() {
    let run = Setup::new("Install the waiting app updates, then turn on Battery Saver").says([Says::Yes]).run().await;
    println!("{}", run.transcript());
    println!("{}", run.message());
}
